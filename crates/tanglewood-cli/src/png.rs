//! SVG to PNG, with the fonts of the system.

use resvg::tiny_skia::{Pixmap, Transform};

use crate::failure::Failure;
use crate::fonts;

/// Pixels for each unit of the picture.
const SCALE: f32 = 2.0;
/// The most pixels a picture may have: 400 MB.
const MAX_PIXELS: u64 = 100_000_000;

/// The picture as PNG.
pub fn render(svg: &str) -> Result<Vec<u8>, Failure> {
    let failed = |reason: String| Failure::Other(format!("cannot make a PNG: {reason}"));
    let tree = fonts::set(svg, "PNG")?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    let (width, height) = (width.ceil() as u32, height.ceil() as u32);
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(failed(format!("it would have {width} × {height} pixels; write SVG instead")));
    }
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| failed("the picture is empty".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_that_are_too_large_are_refused() {
        let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90000\" height=\"90000\"/>";
        let error = render(huge).unwrap_err().to_string();
        assert!(error.contains("180000 × 180000 pixels") || error.contains("needs fonts"), "{error}");
    }
}
