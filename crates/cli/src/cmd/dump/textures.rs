//! Textures as they are decoded: every level, face and slice a picture.

use super::Folder;
use isotherm::memory::Memory;
use isotherm_inspect::follow::Mirror;
use isotherm_inspect::texture;

/// Writes the textures of all units that are on.
pub fn write(
    folder: &mut Folder<'_>,
    draw: u64,
    mirror: &Mirror,
    memory: &Memory,
) -> anyhow::Result<()> {
    for unit in 0..mirror.texture_units() {
        let Some(source) = mirror.texture(unit) else {
            continue;
        };
        let image = source.decode(memory);
        for part in texture::parts(&source, &image) {
            let mut name = format!("texture{unit}");
            if image.levels.len() > 1 {
                name += &format!("-level{}", part.level);
            }
            if source.cube {
                name += &format!("-face{}", part.face);
            }
            if image.levels[part.level].size[2] > 1 {
                name += &format!("-slice{}", part.slice);
            }
            if let Some(picture) = texture::picture(&source, &image, part) {
                folder.picture(draw, &name, &picture)?;
            }
        }
        if folder.args.raw {
            folder.words(draw, &format!("texture{unit}"), &image.texels)?;
        }
    }
    Ok(())
}
