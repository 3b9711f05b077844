import { LOGO_BOX_PX } from '#domain/logo.ts';
import { createContext, encodeCanvas } from '#web/shared/ui/canvas.ts';

/** Drawn larger than the server stores it, which makes it smaller. */
const SCALE = 2;

/**
 * Returns the picture of a file as a PNG that fits the box of a logo. The server takes no SVG, and a
 * PNG of this size is never too large. Rejects for a file that this browser cannot read.
 */
export async function drawLogo(file: Blob): Promise<Blob> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    // An SVG without a size of its own has none in some browsers.
    const { naturalWidth, naturalHeight } = image;
    const [width, height] = [
      naturalWidth || LOGO_BOX_PX.height,
      naturalHeight || LOGO_BOX_PX.height,
    ];
    const scale = SCALE * Math.min(LOGO_BOX_PX.width / width, LOGO_BOX_PX.height / height);
    return await draw(image, Math.round(width * scale), Math.round(height * scale));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function draw(image: HTMLImageElement, width: number, height: number): Promise<Blob> {
  const context = createContext(Math.max(1, width), Math.max(1, height));
  context.drawImage(image, 0, 0, context.canvas.width, context.canvas.height);
  return encodeCanvas(context, 'image/png');
}
