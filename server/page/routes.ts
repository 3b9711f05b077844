import type { AppContext } from '#server/context.ts';

import { applicationRoutes } from './application.ts';
import { assetRoutes } from './assets.ts';
import { iconRoutes } from './icon.ts';
import { manifestRoutes } from './manifest.ts';
import { networkIconRoutes } from './network-icons.ts';
import { policyRoutes } from './policy.ts';
import { robotsRoutes } from './robots.ts';

/** The owner's application, the policies, and the small files that browsers request. */
export function pageRoutes(context: AppContext): void {
  applicationRoutes(context);
  assetRoutes(context);
  networkIconRoutes(context);
  policyRoutes(context);
  robotsRoutes(context);
  manifestRoutes(context);
  iconRoutes(context);
}
