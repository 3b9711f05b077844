// npm run build builds dist/ even if it is up to date.
import { rebuild } from './ready.mjs';

rebuild();
