// npm run shots writes a screenshot of every screen at every width, light and dark, into shots/.
// SHOT_WIDTHS=390,1280 and SHOT_SCREENS=login,edit select some of them. SHOT_FONT_PX=32 shows text at 200 %, and
// SHOT_WHOLE_PAGE=1 shows each page to its end. npm run shots -- pictures writes the pictures of README.md.
import { join } from 'node:path';

import { ROOT, build, run } from './ready.mjs';

build();
const playwright = join(ROOT, 'node_modules', '.bin', 'playwright');
const files = process.argv.length > 2 ? process.argv.slice(2) : ['shots.spec'];
process.exit(run(playwright, ['test', '--reporter=line', ...files], { SHOTS: '1' }) ? 0 : 1);
