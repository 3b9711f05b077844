import sharp from 'sharp';

import type { DemoOwner } from './people.ts';

const SIDE_PX = 600;

export function renderFace({ skin, hair, shirt }: DemoOwner['face']): Promise<Buffer> {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${SIDE_PX}" viewBox="0 0 100 100">`,
    '<rect width="100" height="100" fill="#e9dfd2"/>',
    `<path fill="${shirt}" d="M12 100c2-20 16-30 38-30s36 10 38 30z"/>`,
    `<path fill="${skin}" d="M41 58h18v16a9 9 0 0 1-18 0z"/>`,
    `<ellipse cx="50" cy="42" rx="18" ry="22" fill="${skin}"/>`,
    `<path fill="${hair}" d="M30 44c-3-22 8-30 20-30s23 8 20 30c-3-9-6-14-10-17-6 4-18 5-24 2-3 4-5 8-6 15z"/>`,
    '</svg>',
  ].join('');
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}
