//! SVG to PDF: one page as large as the picture, with letters as outlines, so that it looks the same
//! everywhere.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use resvg::tiny_skia::{Path as Outline, PathSegment, Point, Transform};
use resvg::usvg::{Group, LineCap, LineJoin, Node, Paint, PaintOrder, Path, Stroke, Tree};

use crate::failure::Failure;
use crate::fonts;

/// Points of a page for each unit of the picture.
const SCALE: f32 = 0.75;
/// The longest side that readers of PDF accept, in points.
const MAX_SIDE: f32 = 14_400.0;

/// The picture as PDF.
pub fn render(svg: &str) -> Result<Vec<u8>, Failure> {
    let tree = fonts::set(svg, "PDF")?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    if width > MAX_SIDE || height > MAX_SIDE {
        let message = format!(
            "cannot make a PDF: a page of {width:.0} × {height:.0} points is too large; write SVG instead, or choose --layout wrap"
        );
        return Err(Failure::Other(message));
    }
    let page = Page::of(&tree, height);
    Ok(page.file(width, height)?)
}

/// What is painted on the page.
struct Page {
    content: String,
    /// Opacities that occur, in percent.
    opacities: BTreeSet<u8>,
}

impl Page {
    fn of(tree: &Tree, height: f32) -> Page {
        let mut page = Page { content: String::new(), opacities: BTreeSet::new() };
        // PDF counts from the bottom.
        let _ = writeln!(page.content, "{SCALE} 0 0 -{SCALE} 0 {height} cm");
        page.group(tree.root(), 1.0);
        page
    }

    fn group(&mut self, group: &Group, opacity: f32) {
        let opacity = opacity * group.opacity().get();
        for child in group.children() {
            match child {
                Node::Group(group) => self.group(group, opacity),
                Node::Text(text) => self.group(text.flattened(), opacity),
                Node::Path(path) if path.is_visible() => self.path(path, opacity),
                // Pictures within pictures are not drawn here.
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }

    fn path(&mut self, path: &Path, opacity: f32) {
        let outline = segments(path.data(), path.abs_transform());
        let mut parts = [true, false];
        if path.paint_order() == PaintOrder::StrokeAndFill {
            parts.reverse();
        }
        for fill in parts {
            if fill {
                if let Some(filling) = path.fill()
                    && let Some(colour) = colour(filling.paint())
                {
                    self.opacity(opacity * filling.opacity().get());
                    let _ = writeln!(self.content, "{colour} rg\n{outline}f");
                }
            } else if let Some(stroke) = path.stroke()
                && let Some(colour) = colour(stroke.paint())
            {
                self.opacity(opacity * stroke.opacity().get());
                let settings = settings(stroke, path.abs_transform());
                let _ = writeln!(self.content, "{colour} RG\n{settings}\n{outline}S");
            }
        }
    }

    fn opacity(&mut self, opacity: f32) {
        let percent = (opacity * 100.0).round().clamp(0.0, 100.0) as u8;
        self.opacities.insert(percent);
        let _ = writeln!(self.content, "/G{percent} gs");
    }

    /// The whole file: objects, and where each of them begins.
    fn file(&self, width: f32, height: f32) -> std::io::Result<Vec<u8>> {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        packed.write_all(self.content.as_bytes())?;
        let packed = packed.finish()?;
        let mut states = String::new();
        for percent in &self.opacities {
            let share = f32::from(*percent) / 100.0;
            let _ = write!(states, "/G{percent} << /ca {share} /CA {share} >> ");
        }
        let objects: [(String, &[u8]); 4] = [
            ("<< /Type /Catalog /Pages 2 0 R >>".to_owned(), b""),
            ("<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(), b""),
            (
                format!(
                    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources << /ExtGState << {states}>> >> >>"
                ),
                b"",
            ),
            (format!("<< /Length {} /Filter /FlateDecode >>", packed.len()), &packed),
        ];
        let mut file = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
        let mut places = Vec::new();
        for (at, (dictionary, stream)) in objects.iter().enumerate() {
            places.push(file.len());
            writeln!(file, "{} 0 obj\n{dictionary}", at + 1)?;
            if !stream.is_empty() {
                file.extend_from_slice(b"stream\n");
                file.extend_from_slice(stream);
                file.extend_from_slice(b"\nendstream\n");
            }
            file.extend_from_slice(b"endobj\n");
        }
        let start = file.len();
        write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1)?;
        for place in places {
            writeln!(file, "{place:010} 00000 n ")?;
        }
        write!(file, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1)?;
        Ok(file)
    }
}

/// Pictures here have plain colours only.
fn colour(paint: &Paint) -> Option<String> {
    let Paint::Color(colour) = paint else { return None };
    let [red, green, blue] = [colour.red, colour.green, colour.blue].map(|part| f32::from(part) / 255.0);
    Some(format!("{red:.3} {green:.3} {blue:.3}"))
}

/// Width, ends, corners and dashes of a line.
fn settings(stroke: &Stroke, transform: Transform) -> String {
    let scale = (transform.sx * transform.sy - transform.kx * transform.ky).abs().sqrt();
    let cap = match stroke.linecap() {
        LineCap::Butt => 0,
        LineCap::Round => 1,
        LineCap::Square => 2,
    };
    let join = match stroke.linejoin() {
        LineJoin::Round => 1,
        LineJoin::Bevel => 2,
        LineJoin::Miter | LineJoin::MiterClip => 0,
    };
    let dashes: Vec<String> =
        stroke.dasharray().unwrap_or_default().iter().map(|dash| (dash * scale).to_string()).collect();
    format!(
        "{} w {cap} J {join} j [{}] {} d",
        stroke.width().get() * scale,
        dashes.join(" "),
        stroke.dashoffset() * scale
    )
}

/// A path in the operators of PDF, which has no curves of the second order.
fn segments(outline: &Outline, transform: Transform) -> String {
    let mut text = String::new();
    let place = |mut point: Point| {
        transform.map_point(&mut point);
        point
    };
    let mut here = Point::zero();
    for segment in outline.segments() {
        let _ = match segment {
            PathSegment::MoveTo(to) => {
                here = place(to);
                writeln!(text, "{} {} m", here.x, here.y)
            }
            PathSegment::LineTo(to) => {
                here = place(to);
                writeln!(text, "{} {} l", here.x, here.y)
            }
            PathSegment::QuadTo(control, to) => {
                let (control, to) = (place(control), place(to));
                let towards = |end: Point| {
                    (end.x + (control.x - end.x) * 2.0 / 3.0, end.y + (control.y - end.y) * 2.0 / 3.0)
                };
                let (first, second) = (towards(here), towards(to));
                here = to;
                writeln!(text, "{} {} {} {} {} {} c", first.0, first.1, second.0, second.1, to.x, to.y)
            }
            PathSegment::CubicTo(first, second, to) => {
                let (first, second) = (place(first), place(second));
                here = place(to);
                writeln!(text, "{} {} {} {} {} {} c", first.x, first.y, second.x, second.y, here.x, here.y)
            }
            PathSegment::Close => writeln!(text, "h"),
        };
    }
    text
}
