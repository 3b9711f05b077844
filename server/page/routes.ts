import type { House } from '#server/http/route.ts';

import { applicationRoutes } from './application.ts';
import { assetRoutes } from './assets.ts';
import { cardRoutes } from './card-routes.ts';
import { contactFileRoutes } from './contact-file.ts';
import { iconRoutes } from './icon.ts';
import { manifestRoutes } from './manifest.ts';
import { networkIconRoutes } from './network-icons.ts';
import { policyRoutes } from './policy.ts';
import { openPainter } from './preview/painter.ts';
import { previewRoutes } from './preview/routes.ts';
import { robotsRoutes } from './robots.ts';

/** Everything that a browser shows or saves. */
export function pageRoutes(house: House): void {
  applicationRoutes(house);
  assetRoutes(house);
  networkIconRoutes(house);
  cardRoutes(house);
  contactFileRoutes(house);
  policyRoutes(house);
  robotsRoutes(house);
  manifestRoutes(house);
  drawnPictureRoutes(house);
}

/** What is drawn away from the serving process, by one painter. */
function drawnPictureRoutes(house: House): void {
  const painter = openPainter();
  house.fastify.addHook('onClose', async () => painter.close());
  previewRoutes(house, painter);
  iconRoutes(house, painter);
}
