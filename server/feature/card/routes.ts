import type { AppContext } from '#server/context.ts';

import { cardPageRoutes } from './card-page.ts';
import { contactFileRoutes } from './contact-file.ts';
import { currentPhotoRoutes } from './current-photo.ts';
import { printedQrRoute } from './printed-qr.ts';
import { previewRoutes } from './preview.ts';

export function cardRoutes(context: AppContext): void {
  cardPageRoutes(context);
  contactFileRoutes(context);
  previewRoutes(context);
  currentPhotoRoutes(context);
  printedQrRoute(context);
}
