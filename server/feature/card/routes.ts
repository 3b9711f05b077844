import type { AppContext } from '#server/context.ts';

import { cardPageRoutes } from './card-page.ts';
import { contactFileRoutes } from './contact-file.ts';
import { currentPhotoRoutes } from './current-photo.ts';
import { printedQrRoute } from './printed-qr.ts';
import { previewRoutes } from './preview.ts';

/** Registers the public card: page, contact file, preview picture and current photo. */
export function cardRoutes(context: AppContext): void {
  cardPageRoutes(context);
  contactFileRoutes(context);
  previewRoutes(context);
  currentPhotoRoutes(context);
  printedQrRoute(context);
}
