//! The words of the texture shader, taken apart once per state change.

use super::Bundles;
use isotherm_regs::bundle as b;
use isotherm_regs::{Chip, Family};

/// How the results of texture stages are converted from luminance and colour differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Not at all.
    None,
    /// Those of textures that hold such (Celsius has no word for it).
    ByFormat,
    /// All of them. The differences lie around 128.
    Offset,
    /// The same, but they are signed.
    Signed,
}

impl Conversion {
    fn new(chip: Chip, bundles: &Bundles) -> Conversion {
        use b::COLOR_SPACE_CONVERT as Space;
        let word = if chip.since(Chip::Nv25) {
            b::CONFIG_B::COLOR_SPACE_CONVERT.get(chip, bundles.CONFIG_B)
        } else if chip.since(Chip::Nv20) {
            b::CONFIG_A::COLOR_SPACE_CONVERT.get(chip, bundles.CONFIG_A)
        } else {
            return Conversion::ByFormat;
        };
        match word {
            Space::CRYCB_TO_RGB => Conversion::Offset,
            Space::SCRYSCB_TO_RGB => Conversion::Signed,
            _ => Conversion::None,
        }
    }

    /// Are results of any format converted?
    pub fn of_all(self) -> bool {
        matches!(self, Conversion::Offset | Conversion::Signed)
    }
}

/// What a texture stage does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Nothing: black, alpha 1.
    None,
    /// Sample at (s/q, t/q).
    Texture2d,
    /// Sample at (s/q, t/q, r/q).
    Texture3d,
    /// Sample in the direction (s, t, r).
    CubeMap,
    /// The coordinates are the colour.
    PassThrough,
    /// Kill by the coordinates' signs.
    ClipPlane,
    /// Sample at coordinates that another stage's texel moves.
    BumpEnv,
    /// The same, with a brightness.
    BumpEnvLum,
    /// Sample a table of light and eye angles.
    Brdf,
    /// Sample at two dot products.
    DotSt,
    /// Replace the depth by the quotient of two dot products.
    DotZw,
    /// Sample a cube in the direction of three dot products (the middle one).
    DotReflectDiffuse,
    /// Sample a cube in the direction reflected about three dot products.
    DotReflectSpecular,
    /// Sample a volume at three dot products.
    DotStr3d,
    /// Sample a cube in the direction of three dot products.
    DotStrCube,
    /// Sample at another stage's alpha and red.
    DependentAr,
    /// Sample at another stage's green and blue.
    DependentGb,
    /// A dot product for a later stage.
    DotProduct,
    /// Reflection with a constant eye vector.
    DotReflectSpecularConst,
}

impl Op {
    fn new(code: u32) -> Op {
        use b::TEX_SHADER_PROGRAM as P;
        match code {
            P::TEXTURE_2D => Op::Texture2d,
            P::TEXTURE_3D => Op::Texture3d,
            P::TEXTURE_CUBE_MAP => Op::CubeMap,
            P::PASS_THROUGH => Op::PassThrough,
            P::CULL_FRAGMENT => Op::ClipPlane,
            P::OFFSET_TEXTURE_2D => Op::BumpEnv,
            P::OFFSET_TEXTURE_2D_SCALE => Op::BumpEnvLum,
            P::BRDF => Op::Brdf,
            P::DOT_PRODUCT_TEXTURE_2D => Op::DotSt,
            P::DOT_PRODUCT_DEPTH_REPLACE => Op::DotZw,
            P::DOT_PRODUCT_REFLECT_DIFFUSE => Op::DotReflectDiffuse,
            P::DOT_PRODUCT_REFLECT_SPECULAR => Op::DotReflectSpecular,
            P::DOT_PRODUCT_TEXTURE_3D => Op::DotStr3d,
            P::DOT_PRODUCT_TEXTURE_CUBE_MAP => Op::DotStrCube,
            P::DEPENDENT_AR_TEXTURE_2D => Op::DependentAr,
            P::DEPENDENT_GB_TEXTURE_2D => Op::DependentGb,
            P::DOT_PRODUCT => Op::DotProduct,
            P::DOT_PRODUCT_REFLECT_SPECULAR_CONST => Op::DotReflectSpecularConst,
            _ => Op::None,
        }
    }

    /// Does it read the stage's texture?
    pub fn samples(self) -> bool {
        !matches!(
            self,
            Op::None | Op::PassThrough | Op::ClipPlane | Op::DotProduct | Op::DotZw
        )
    }

    /// Does it neither depend on another stage nor do anything but set its own
    /// register (a texture may still kill)?
    pub fn plain(self) -> bool {
        matches!(
            self,
            Op::None | Op::Texture2d | Op::Texture3d | Op::CubeMap | Op::PassThrough
        )
    }

    /// Does it form a dot product with the stage's coordinates?
    pub fn dots(self) -> bool {
        matches!(
            self,
            Op::DotProduct
                | Op::DotSt
                | Op::DotZw
                | Op::DotReflectDiffuse
                | Op::DotReflectSpecular
                | Op::DotReflectSpecularConst
                | Op::DotStr3d
                | Op::DotStrCube
        )
    }
}

/// How a texel becomes a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dot {
    /// v / 255
    ZeroToOne,
    /// (v - 128) / 127
    D3d,
    /// (2 v + 1) / 255, v signed
    Gl,
    /// v / 128, v signed
    Plain,
    /// HI, LO unsigned, 1
    Hilo1,
    /// HI, LO as D3D has them, on the unit half sphere
    HiloHemisphereD3d,
    /// HI, LO as GL has them, on the unit half sphere
    HiloHemisphereGl,
    /// HI, LO signed, on the unit half sphere
    HiloHemisphere,
}

const DOTS: [Dot; 8] = [
    Dot::ZeroToOne,
    Dot::D3d,
    Dot::Gl,
    Dot::Plain,
    Dot::Hilo1,
    Dot::HiloHemisphereD3d,
    Dot::HiloHemisphereGl,
    Dot::HiloHemisphere,
];

/// Bump matrix and luminance of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bump {
    /// s' = s + m0 du + m3 dv, t' = t + m1 du + m2 dv
    pub matrix: [f32; 4],
    /// Luminance scale.
    pub scale: f32,
    /// Luminance offset.
    pub offset: f32,
}

/// The texture shader of all stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Program {
    /// Operations.
    pub ops: [Op; 4],
    /// Mappings of the dot products.
    pub dots: [Dot; 4],
    /// The stage that a dependent stage reads.
    pub source: [usize; 4],
    /// Comparison bits per stage, bit k for coordinate k: kill if it is >= 0
    /// (else if it is < 0).
    pub cull: [u8; 4],
    /// Bump words.
    pub bump: [Bump; 4],
    /// Constant eye vector.
    pub eye: [f32; 3],
    /// What happens to the results.
    pub conversion: Conversion,
}

impl Program {
    /// Derives the program from the words.
    pub fn prepare(chip: Chip, bundles: &Bundles) -> Program {
        let mut p = Program {
            ops: [Op::None; 4],
            dots: [Dot::ZeroToOne; 4],
            source: [0; 4],
            cull: [0; 4],
            bump: [Bump::default(); 4],
            eye: [0, 1, 2].map(|i| f32::from_bits(bundles.TEX_SHADER_CONST_EYE[i])),
            conversion: Conversion::new(chip, bundles),
        };
        if chip.family() == Family::Celsius {
            for i in 0..2 {
                let enabled = b::TEX_CONTROL::ENABLE.is_set(chip, bundles.TEX_CONTROL[i]);
                let cube = b::TEX_FORMAT::CUBE_MAP.is_set(chip, bundles.TEX_FORMAT[i]);
                p.ops[i] = match (enabled, cube) {
                    (false, _) => Op::None,
                    (true, false) => Op::Texture2d,
                    (true, true) => Op::CubeMap,
                };
            }
            return p;
        }
        let op = bundles.TEX_SHADER_OP;
        let misc = bundles.TEX_SHADER_MISC;
        let cull = bundles.TEX_SHADER_CULL_MODE;
        use b::{TEX_SHADER_MISC as M, TEX_SHADER_OP as O};
        p.ops = [O::TX0, O::TX1, O::TX2, O::TX3].map(|f| Op::new(f.get(chip, op)));
        for (i, f) in [M::TX1_DOT_MAPPING, M::TX2_DOT_MAPPING, M::TX3_DOT_MAPPING]
            .into_iter()
            .enumerate()
        {
            p.dots[i + 1] = DOTS[f.get(chip, misc) as usize & 7];
        }
        p.source[2] = M::TX2_PREVIOUS.get(chip, misc) as usize;
        // Stage 3 cannot read itself.
        p.source[3] = (M::TX3_PREVIOUS.get(chip, misc) as usize).min(2);
        for i in 0..4 {
            p.cull[i] = (cull >> (4 * i) & 15) as u8;
        }
        for i in 0..3 {
            let f = |words: &[u32; 3]| f32::from_bits(words[i]);
            p.bump[i + 1] = Bump {
                matrix: [
                    f(&bundles.TEX_UNK10),
                    f(&bundles.TEX_UNK11),
                    f(&bundles.TEX_UNK12),
                    f(&bundles.TEX_UNK13),
                ],
                scale: f(&bundles.TEX_UNK14),
                offset: f(&bundles.TEX_UNK15),
            };
        }
        p
    }

    /// The highest texture coordinate set that is read, plus one.
    pub fn coordinate_sets(&self) -> usize {
        // DotReflectDiffuse at stage 2 also reads stage 3's coordinates.
        if self.ops[2] == Op::DotReflectDiffuse {
            return 4;
        }
        self.ops
            .iter()
            .rposition(|op| *op != Op::None)
            .map_or(0, |i| i + 1)
    }
}
