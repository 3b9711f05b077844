import type { AppContext } from '#server/context.ts';

import { manifestRoutes } from './manifest.ts';
import { policyRoutes } from './policies.ts';
import { oldPathRedirects, shellRoutes } from './shell.ts';
import { signinRoutes } from './signin.ts';
import { staticFileRoutes } from './static-files.ts';

export function pageRoutes(context: AppContext): void {
  signinRoutes(context);
  shellRoutes(context);
  oldPathRedirects(context);
  policyRoutes(context);
  staticFileRoutes(context);
  manifestRoutes(context);
}
