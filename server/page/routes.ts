import type { AppContext } from '#server/context.ts';

import { applicationRoutes } from './application.ts';
import { iconRoutes } from './icons.ts';
import { policyRoutes } from './policies.ts';
import { staticFileRoutes } from './static-files.ts';

/** Registers the owner's application, the policies, and the small files that browsers request. */
export function pageRoutes(context: AppContext): void {
  applicationRoutes(context);
  policyRoutes(context);
  staticFileRoutes(context);
  iconRoutes(context);
}
