export function createContext(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no 2D canvas context');
  context.imageSmoothingQuality = 'high';
  return context;
}

/** Creates a white canvas for a JPEG, in which transparent parts would become black. */
export function createWhiteContext(width: number, height: number): CanvasRenderingContext2D {
  const context = createContext(width, height);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  return context;
}

/** Rejects if the browser cannot encode the canvas in this type. */
export function encodeCanvas(
  { canvas }: CanvasRenderingContext2D,
  type: 'image/jpeg' | 'image/png',
  quality?: number,
): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const receive = (blob: Blob | null) => {
      if (blob) resolve(blob);
      else reject(new Error(`The canvas could not be encoded as ${type}`));
    };
    canvas.toBlob(receive, type, quality);
  });
}
