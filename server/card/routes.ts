import type { AppContext } from '#server/context.ts';

import { cardPageRoutes } from './card-page.ts';
import { contactFileRoutes } from './contact-file.ts';
import { previewRoutes } from './preview.ts';

/** The public card: page, contact file and preview picture. */
export function cardRoutes(context: AppContext): void {
  cardPageRoutes(context);
  contactFileRoutes(context);
  previewRoutes(context);
}
