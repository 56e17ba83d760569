//! Meshes before and behind the vertex engine.

use super::Folder;
use isotherm_inspect::follow::{Mesh, shapes};
use isotherm_inspect::mesh::{self, gltf, obj};

/// Writes a draw's vertices in all ways.
pub fn write(folder: &mut Folder<'_>, draw: u64, mesh: &Mesh) -> anyhow::Result<()> {
    if mesh.outputs.is_empty() {
        return Ok(());
    }
    folder.text(draw, "vertices-in.csv", &mesh::inputs(mesh))?;
    folder.text(draw, "vertices-out.csv", &mesh::outputs(mesh))?;
    let (before, behind) = (mesh::places_before(mesh), mesh::places_behind(mesh));
    let shapes = shapes(mesh.prim, before.len());
    folder.text(draw, "mesh-in.obj", &obj(&before, &shapes))?;
    folder.text(draw, "mesh-out.obj", &obj(&behind, &shapes))?;
    let document = gltf::document(&before, &[], &shapes);
    folder.text(draw, "mesh-in.gltf", &document)?;
    let document = gltf::document(&behind, &mesh::colors(mesh), &shapes);
    folder.text(draw, "mesh-out.gltf", &document)
}
