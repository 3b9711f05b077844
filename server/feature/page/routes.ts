import type { AppContext } from '#server/context.ts';

import { applicationRoutes } from './application.ts';
import { iconRoutes } from './icons.ts';
import { policyRoutes } from './policies.ts';
import { staticFileRoutes } from './static-files.ts';

export function pageRoutes(context: AppContext): void {
  applicationRoutes(context);
  policyRoutes(context);
  staticFileRoutes(context);
  iconRoutes(context);
}
