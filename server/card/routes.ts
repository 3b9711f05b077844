import type { AppContext } from '#server/context.ts';

import { cardRoutes as cardPageRoutes } from './card-routes.ts';
import { contactFileRoutes } from './contact-file.ts';
import { previewRoutes } from './preview-routes.ts';

/** The public card: page, contact file and preview picture. */
export function cardRoutes(context: AppContext): void {
  cardPageRoutes(context);
  contactFileRoutes(context);
  previewRoutes(context);
}
