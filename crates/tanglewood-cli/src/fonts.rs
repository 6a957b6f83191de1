//! The system's fonts, for pictures that are not read by a browser.

use std::sync::Arc;

use resvg::usvg::fontdb::{Database, FaceInfo, ID};
use resvg::usvg::{FallbackSelectionFn, FontResolver, Options, Tree};

use crate::failure::Failure;

/// Fonts to prefer where a picture asks for any without serifs.
const SANS_SERIF: [&str; 6] =
    ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Arial", "Helvetica", "Verdana"];

/// The picture, with its text set in the system's fonts. `what` is what needs them.
pub fn set(svg: &str, what: &str) -> Result<Tree, Failure> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let fonts = with_sans_serif(fonts, what)?;
    let resolver =
        FontResolver { select_font: FontResolver::default_font_selector(), select_fallback: fallback() };
    let options = Options { fontdb: Arc::new(fonts), font_resolver: resolver, ..Options::default() };
    Tree::from_str(svg, &options).map_err(|error| Failure::Other(format!("cannot make a {what}: {error}")))
}

/// Fonts with one of them for all text that names none of them.
fn with_sans_serif(mut fonts: Database, what: &str) -> Result<Database, Failure> {
    let families = || fonts.faces().flat_map(|face| face.families.iter().map(|(name, _)| name.as_str()));
    let preferred = SANS_SERIF.into_iter().find(|name| families().any(|family| family == *name));
    let Some(family) = preferred.or_else(|| families().next()).map(str::to_owned) else {
        let message = format!(
            "{what} needs fonts, and none is installed; install one, such as DejaVu Sans or Noto Sans, or write SVG, which needs none"
        );
        return Err(Failure::Other(message));
    };
    fonts.set_sans_serif_family(family);
    Ok(fonts)
}

/// A font for a character that the text's own font does not have: of those that have it, the one whose
/// weight, style and width are the most similar. The library's own choice is the first, which is often a bold
/// one.
fn fallback() -> FallbackSelectionFn<'static> {
    let next = FontResolver::default_fallback_selector();
    Box::new(move |character, used, fonts| {
        let wanted = fonts.face(*used.first()?)?.clone();
        let mut tried: Vec<ID> = used.to_vec();
        let mut candidates = Vec::new();
        while let Some(id) = next(character, &tried, fonts) {
            tried.push(id);
            candidates.push(id);
        }
        let distance = |id: &ID| fonts.face(*id).map_or(u32::MAX, |face| distance(&wanted, face));
        candidates.into_iter().min_by_key(distance)
    })
}

/// How different two fonts look.
fn distance(wanted: &FaceInfo, face: &FaceInfo) -> u32 {
    let weight = u32::from(wanted.weight.0.abs_diff(face.weight.0));
    let other = |differs: bool| if differs { 2000 } else { 0 };
    weight + other(wanted.style != face.style) + other(wanted.stretch != face.stretch) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_fonts_there_is_a_clear_error() {
        let error = with_sans_serif(Database::new(), "PNG").unwrap_err().to_string();
        assert!(error.starts_with("PNG needs fonts, and none is installed; install one"), "{error}");
    }

    #[test]
    fn a_font_for_what_the_text_s_own_font_lacks_is_no_bolder_than_needed() {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let regular = |face: &&FaceInfo| face.weight.0 == 400 && face.style == Default::default();
        // Serif fonts of Latin letters only would do; the arrow below is in few of them.
        let Some(base) = fonts.faces().find(regular).map(|face| face.id) else { return };
        let mut shared = Arc::new(fonts);
        for character in ['→', 'Ж', 'ש', '語', 'ก'] {
            let Some(found) = fallback()(character, &[base], &mut shared) else { continue };
            let bold = |id: ID| shared.face(id).is_some_and(|face| face.weight.0 > 500);
            let mut tried = vec![base];
            let mut any_regular = false;
            while let Some(id) =
                FontResolver::default_fallback_selector()(character, &tried, &mut shared.clone())
            {
                any_regular |= !bold(id);
                tried.push(id);
            }
            assert!(!any_regular || !bold(found), "{character}");
        }
    }
}
