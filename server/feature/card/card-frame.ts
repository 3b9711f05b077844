import { randomUUID } from 'node:crypto';

import { LRUCache } from 'lru-cache';
import { createElement } from 'react';

import { displayName, nameVariants } from '#domain/display.ts';
import { hasExtras } from '#domain/extras.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { CardFrame } from '#view/card-page.tsx';
import type { AppContext } from '#server/context.ts';
import { hasReceipts } from '#server/adapter/html/connect-notice.ts';
import { hashSource, originsOf, pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { PRINT_STYLE_PATH, cardStyle } from '#server/adapter/html/style.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { createSharedPart } from '#server/http/representation.ts';
import type { SharedPart } from '#server/http/representation.ts';
import type { Settings } from '#server/settings/settings.ts';

const FRAMES_MAX = 200;
const PARTS_MAX = 200;
const HEADERS_MAX = 1000;
const SLOT = randomUUID();

function remember<Value extends object>(
  values: LRUCache<string, Value>,
  key: string,
  make: () => Value,
): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/** Returns a function that builds, or takes from memory, the HTML and headers that similar cards share. */
export function createFrames(settings: Settings, web: AppContext['dependencies']['web']) {
  const fixedParts = {
    hasReceipt: hasReceipts(settings),
    isTextWhole: settings.cardText === 'whole',
  };
  const cardScript = fixedParts.hasReceipt ? web.receiptCardScript : web.cardScript;
  const connect = originsOf(settings.serverBaseUrl);
  const image = originsOf(settings.iconBaseUrl);

  const parts = new LRUCache<string, Promise<SharedPart>>({ max: PARTS_MAX });
  const headers = new LRUCache<string, ReturnType<typeof pageHeaders>>({ max: HEADERS_MAX });

  const create = (card: Card, language: PageLanguage, key: string) => {
    const style = cardStyle({ ...fixedParts, ...cardParts(card) }, language);
    const script = (card.profile.profilePhoto === '' ? '' : web.photoScript) + cardScript;
    const props = { language, style, script, printStylePath: PRINT_STYLE_PATH, slot: SLOT };
    const [start = '', shared = '', end = ''] = renderPage(createElement(CardFrame, props)).split(
      SLOT,
    );
    const sources = { connect, image, script: [hashSource(script)], style: [hashSource(style)] };
    return {
      start,
      end,
      partAt: (position: number) => {
        const partKey = `${key} ${position}`;
        return remember(parts, partKey, () => {
          const part = createSharedPart(shared, position);
          part.catch(() => parts.delete(partKey));
          return part;
        });
      },
      headersOf: (accent: string) =>
        remember(headers, `${key} ${accent}`, () =>
          pageHeaders({ style: accent, language, sources }),
        ),
    };
  };
  const frames = new LRUCache<string, ReturnType<typeof create>>({ max: FRAMES_MAX });
  return (card: Card, language: PageLanguage) => {
    const traits = [...Object.values(cardParts(card)), card.profile.profilePhoto === ''];
    const key = [...traits, language.language, language.isInUrl].join();
    return remember(frames, key, () => create(card, language, key));
  };
}

function cardParts({ logo, profile, extras }: Card) {
  return {
    hasLogo: logo !== '',
    hasLongName: nameVariants(displayName(profile)).length > 0,
    hasExtras: hasExtras(extras),
  };
}
