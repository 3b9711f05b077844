import sharp from 'sharp';
import type { Sharp } from 'sharp';

type Size = Readonly<Record<'width' | 'height', number>>;

/** Makes a picture with a red top and a blue bottom, so that a test can check its orientation. */
export function twoHalves({ width, height }: Size): Sharp {
  const blue = { width, height, channels: 3, background: '#0000ff' } as const;
  const red = { ...blue, height: Math.floor(height / 2), background: '#ff0000' };
  return sharp({ create: blue }).composite([{ input: { create: red }, left: 0, top: 0 }]);
}

/** Makes a JPEG like those of a camera, which is rotated by EXIF and contains a position and other metadata. */
export async function cameraJpeg(size: Size): Promise<Buffer> {
  // With orientation 6 the viewer rotates clockwise, so red is on the left side of the stored pixels.
  const upright = await twoHalves(size).png().toBuffer();
  return sharp(upright)
    .rotate(-90)
    .keepIccProfile()
    .withIccProfile('p3')
    .withExif({
      IFD0: { Make: 'SECRETMAKE', Copyright: 'SECRETOWNER' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '12/1 58/1 1234/100' },
    })
    .withMetadata({ orientation: 6 })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><SECRETXMP/></x:xmpmeta>')
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Makes a picture of random pixels. They do not compress, so the file is as large as its pixels. */
export function noise({ width, height }: Size): Sharp {
  const grain = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: 'white', noise: grain } });
}

/** Makes a small PNG file of a black picture, with 8 bits a pixel or with 16 bits for each of its four channels. */
export const blackPng = ({ width, height }: Size, space: 'b-w' | 'rgb16') =>
  sharp({ create: { width, height, channels: 4, background: '#000' } })
    .toColourspace(space)
    .png({ compressionLevel: 9 })
    .toBuffer();

/** Returns the names of the colours near the top and the bottom edge, halfway across. */
export async function topAndBottom(bytes: Uint8Array): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return [5, info.height - 6].map((row) => {
    const start = (row * info.width + Math.floor(info.width / 2)) * info.channels;
    const [red = 0, green = 0, blue = 0] = data.subarray(start);
    if (red > 200 && green < 60 && blue < 60) return 'red';
    return blue > 200 && red < 60 && green < 60 ? 'blue' : `rgb(${red}, ${green}, ${blue})`;
  });
}

export async function jpegFile(size: Size) {
  const buffer = await twoHalves(size).jpeg().toBuffer();
  return { name: 'me.jpg', mimeType: 'image/jpeg', buffer };
}
