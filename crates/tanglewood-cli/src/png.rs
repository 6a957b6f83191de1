//! SVG to PNG, with the fonts of the system.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::failure::Failure;

/// Pixels for each unit of the picture.
const SCALE: f32 = 2.0;
/// The most pixels a picture may have: 400 MB.
const MAX_PIXELS: u64 = 100_000_000;

/// Fonts to prefer where a picture asks for any without serifs.
const SANS_SERIF: [&str; 6] =
    ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Arial", "Helvetica", "Verdana"];

/// The picture as PNG.
pub fn render(svg: &str) -> Result<Vec<u8>, Failure> {
    let failed = |reason: String| Failure::Other(format!("cannot make a PNG: {reason}"));
    let tree = Tree::from_str(svg, &Options { fontdb: Arc::new(fonts()?), ..Options::default() })
        .map_err(|error| failed(error.to_string()))?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    let (width, height) = (width.ceil() as u32, height.ceil() as u32);
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(failed(format!("it would have {width} × {height} pixels; write SVG instead")));
    }
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| failed("the picture is empty".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(error.to_string()))
}

/// The system's fonts.
fn fonts() -> Result<Database, Failure> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    with_sans_serif(fonts)
}

/// Fonts with one of them for all text that names none of them.
fn with_sans_serif(mut fonts: Database) -> Result<Database, Failure> {
    let families = || fonts.faces().flat_map(|face| face.families.iter().map(|(name, _)| name.as_str()));
    let preferred = SANS_SERIF.into_iter().find(|name| families().any(|family| family == *name));
    let Some(family) = preferred.or_else(|| families().next()).map(str::to_owned) else {
        let message = "PNG needs fonts, and none is installed; install one, such as DejaVu Sans or Noto Sans, or write SVG, which needs none";
        return Err(Failure::Other(message.to_owned()));
    };
    fonts.set_sans_serif_family(family);
    Ok(fonts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_fonts_there_is_a_clear_error() {
        let error = with_sans_serif(Database::new()).unwrap_err().to_string();
        assert!(error.starts_with("PNG needs fonts, and none is installed; install one"), "{error}");
    }

    #[test]
    fn pictures_that_are_too_large_are_refused() {
        let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90000\" height=\"90000\"/>";
        let error = render(huge).unwrap_err().to_string();
        assert!(error.contains("180000 × 180000 pixels") || error.contains("needs fonts"), "{error}");
    }
}
