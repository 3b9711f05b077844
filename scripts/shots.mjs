// npm run shots: every screen at every width, light and dark, from a seeded server, into shots/.
// SHOT_WIDTHS=390,1280 and SHOT_SCREENS=login,edit take fewer.
import { join } from 'node:path';

import { ROOT, build, checkNode, install, run } from './ready.mjs';

checkNode();
install();
build();
const playwright = join(ROOT, 'node_modules', '.bin', 'playwright');
process.exit(run(playwright, ['test', '--reporter=line'], { SHOTS: '1' }) ? 0 : 1);
