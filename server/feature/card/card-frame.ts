import { hash, randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';
import { createElement } from 'react';

import { displayName, nameVariants } from '#domain/display.ts';
import { hasExtras } from '#domain/extras.ts';
import { withLanguageQuery } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import { cardPath } from '#domain/share.ts';
import { translateCard } from '#server/adapter/profile/card.ts';
import { CardFrame } from '#view/card-page.tsx';
import type { AppContext } from '#server/context.ts';
import { hasReceipts } from '#server/adapter/html/connect-notice.ts';
import { hashSource, originsOf, pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { PRINT_STYLE_PATH, cardStyle } from '#server/adapter/html/style.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { pageKey } from '#server/adapter/storage/page-store.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import { createSharedPart } from '#server/http/representation.ts';
import type { SharedPart } from '#server/http/representation.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
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

/** The version of a preview picture is two hashes of this many characters: one of the texts and one of the look. */
export const HASH_LENGTH = 6;
/** Increase this whenever the layout of the preview picture changes, so that no cache shows the old one. */
const LAYOUT_VERSION = 5;

export function unversionedPath(userId: string, language: Language = 'en'): string {
  const path = `${cardPath(userId)}/preview.jpg`;
  return language === 'en' ? path : withLanguageQuery(path, language);
}

export function versionedPath(
  path: string,
  version: string | readonly string[] | undefined,
): string {
  if (version === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}v=${String(version)}`;
}

type PreviewSettings = Pick<Settings, 'productName' | 'publicUrl'>;

export function previewPath(card: Card, settings: PreviewSettings, language: Language): string {
  const path = unversionedPath(card.profile._id, card.translations[language] && language);
  return versionedPath(path, previewVersion(translateCard(card, language), settings));
}

export function previewVersion({ profile, palette }: Card, settings: PreviewSettings): string {
  const { name, designation, companyName, profilePhoto } = profile;
  const { productName, publicUrl } = settings;
  const texts = [name, designation, companyName, productName, publicUrl];
  return shortHash([LAYOUT_VERSION, ...texts]) + shortHash([profilePhoto, palette.tones]);
}

const shortHash = (inputs: readonly unknown[]) =>
  hash('sha256', JSON.stringify(inputs), 'base64url').slice(0, HASH_LENGTH);

/** `position` and `at` are the lengths of the first part, before and after it is compressed. */
interface PageFacts {
  readonly etag: string;
  readonly position: number;
  /** This is null if the page was compressed as a whole. */
  readonly at: number | null;
}

interface Page {
  readonly headers: OutgoingHttpHeaders;
  readonly partAt: (position: number) => Promise<SharedPart>;
  readonly render: () => readonly [first: Buffer, last: string];
}

let lastTurn = Promise.resolve();
/**
 * Resolves in a turn of the event loop in which it resolves for nobody else. libuv accepts one connection a turn, so
 * if many cards were rendered in each turn, visitors on a new connection would wait far longer than the others.
 */
const ownTurn = () => (lastTurn = lastTurn.then(() => setImmediate()));

/** Returns a function that reads the page of a card from the node's disk, or else renders it and keeps it there. */
export function createPageKeeper({ responses, dependencies: { pages } }: AppContext) {
  return async (card: Card, key: CardKey, page: Page): Promise<StoredResponse> => {
    const { headers, partAt, render } = page;
    const keyOnDisk = pages && pageKey(key.userId, [card, key.origin, key.pageLanguage]);
    const kept = keyOnDisk && (await pages.find<PageFacts>(keyOnDisk));
    if (kept) {
      const { etag, position, at } = kept.facts;
      const shared = at === null ? {} : { shared: { part: await partAt(position), at } };
      return new StoredResponse({ body: kept.body, encoding: 'br', etag, headers, ...shared });
    }
    await ownTurn();
    const [first, last] = render();
    const response = new StoredResponse({
      shared: { part: await partAt(first.length), at: first.length },
      body: Buffer.concat([first, Buffer.from(last)]),
      headers,
    });
    const { encoding, shared, body, at } = await response.encode(key.encoding ?? 'br');
    // If the card has changed meanwhile, this page may contain what its owner has just removed.
    if (keyOnDisk && encoding === 'br' && response.etag !== null && !responses.isVoid(key.ticket)) {
      const isWhole = shared.length === 0;
      const facts = { etag: response.etag, position: first.length, at: isWhole ? null : at };
      pages.put<PageFacts>(keyOnDisk, { facts, body });
    }
    return response;
  };
}
