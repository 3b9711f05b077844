import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { displayName, initials } from '#domain/display.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { inLanguage } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { PHOTO_SIDE_PX_MAX } from '#domain/photo.ts';
import { PALETTES, idPalette } from '#domain/palette.ts';
import { cardPath } from '#domain/share.ts';
import { shownTranslations } from '#domain/translation.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { ResponseCache, ResponseKey } from '#server/http/cache/response-cache.ts';
import type { AppContext } from '#server/context.ts';
import { bytesOf } from '#server/adapter/html/web-files.ts';
import { Limiter } from '#server/http/limit/limiter.ts';
import { pageLanguage } from '#server/http/language.ts';
import { ApiError } from '#server/error.ts';
import { matchesEtag } from '#server/http/negotiation.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { cardIn, findCard } from '#server/adapter/profile/card.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { PICTURE_CACHE_CONTROL, readJpeg } from '#server/adapter/storage/photo-store.ts';

import { renderPreview } from './preview-image.ts';
import { renderableText } from './preview-text.ts';
import { createRenderLimiter, waitForRender } from './render.ts';

const VERSION_LENGTH = 12;
/** Increase it whenever the layout changes, so that no cache shows the old picture. */
const LAYOUT_VERSION = 4;
/** Chats wait a few seconds, and do not ask again. */
const WAIT_MS = 4 * SECOND_MS;
/** A further change of the card in this time is rendered with it. */
const CHANGE_DELAY_MS = SECOND_MS;
const CHANGED_MAX = 100;

/** Without a version the picture is revalidated each time. */
const UNVERSIONED_CACHE_CONTROL = 'public, no-cache';

/** The headers of every preview picture, except Cache-Control. */
const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'cross-origin-resource-policy': 'cross-origin',
};
/** A picture without text for each palette (scripts/icons.mjs), for a card whose own is not ready in time. */
const SUBSTITUTES = Object.entries(
  import.meta.glob<string>('./substitute/*.jpg', {
    query: '?inline',
    import: 'default',
    eager: true,
  }),
)
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(([, dataUrl]) => {
    const headers = { ...PICTURE_HEADERS, 'cache-control': 'no-store' };
    return new StoredResponse({ body: bytesOf(dataUrl), headers });
  });

export function previewRoutes(context: AppContext): void {
  const { fastify, dependencies, responses } = context;
  const { productName, languages } = context.settings;
  const limiter = createRenderLimiter();
  const etagOf = (card: Card) => `"${previewVersion(card, productName)}"`;
  /** The address alone decides: chat apps fetch the picture for everybody. */
  const languageOf = (query: unknown) => pageLanguage(languages, query, undefined).language;

  async function find(userId: string, language: Language): Promise<Card | null> {
    const card = await findCard(dependencies.database, userId, context.brand);
    return card && cardIn(card, language);
  }

  /** Renders the picture, unless the stale one is of the same version. */
  function getOrRender(key: Key, language: Language): Promise<StoredResponse | null> {
    const { userId } = key;
    return responses.getOrRender(key, async (stale) => {
      const card = await find(userId, language);
      if (!card) return null;
      const etag = etagOf(card);
      if (stale?.etag === etag) return stale;
      return toResponse(etag, await limiter.run(() => renderPicture(context, card), userId));
    });
  }

  /** An own colour has the picture of the last palette, which is grey. */
  async function substitute(userId: string): Promise<StoredResponse | null> {
    const card = await findCard(dependencies.database, userId, context.brand).catch(() => null);
    const { deep } = card?.palette ?? idPalette(userId);
    return SUBSTITUTES.at(PALETTES.findIndex((palette) => palette.deep === deep)) ?? null;
  }

  renderChanged({ fastify, responses }, async (userId) => {
    const card = await findCard(dependencies.database, userId, context.brand);
    for (const language of card ? translationsOf(card) : []) {
      const path = unversionedPath(userId, language);
      await getOrRender({ userId, path, origin: '', route: ROUTE, encoding: 'identity' }, language);
    }
  });

  function translationsOf({ translations }: Card): Language[] {
    const offered = Object.keys(shownTranslations(translations, languages)) as Language[];
    return ['en', ...offered];
  }

  publicRoute(context, {
    url: ROUTE,
    pathOf: (userId, { query }) =>
      versionedPath(unversionedPath(userId, languageOf(query)), query['v']),
    respond: async (key, { headers, query }) => {
      const { userId } = key;
      const language = languageOf(query);
      const current = { ...key, path: unversionedPath(userId, language) };
      const tag = headers['if-none-match'];
      let picture = responses.lookup(current.path, current.origin)?.response ?? null;
      if (!picture && tag !== undefined) {
        const card = await find(userId, language);
        const etag = card && etagOf(card);
        // This response is always a 304, so its body is never sent.
        if (etag !== null && matchesEtag(tag, etag)) return toResponse(etag, Buffer.alloc(0));
      }
      picture ??= await waitForRender(getOrRender(current, language), WAIT_MS, () =>
        substitute(userId),
      );
      if (picture === null || picture.etag !== `"${String(query['v'])}"`) return picture;
      const { etag, body } = picture;
      return responses.getOrRender(key, async () => toResponse(etag, body, PICTURE_CACHE_CONTROL));
    },
  });
}

const ROUTE = unversionedPath(':userID');
type Key = ResponseKey & { readonly userId: string };

interface Changes {
  readonly fastify: FastifyInstance;
  readonly responses: Pick<ResponseCache, 'onDrop'>;
}

/** After each change, one card at a time, so that the first chat that asks has the picture. */
function renderChanged(
  { fastify, responses }: Changes,
  render: (userId: string) => Promise<void>,
): void {
  const limiter = new Limiter({
    runningMax: 1,
    waitingMax: CHANGED_MAX,
    whenFull: 'replace',
    createError: () => new ApiError('unavailable', 'Newer cards are rendered first.'),
  });
  const timers = new Map<string, NodeJS.Timeout>();
  let isClosed = false;
  responses.onDrop((userId) => {
    clearTimeout(timers.get(userId));
    const start = async () => {
      timers.delete(userId);
      try {
        await limiter.run(async () => (isClosed ? undefined : render(userId)));
      } catch (error) {
        // It is blocked, or there is no time: it is rendered when it is asked for.
        if (!isClosed && !(error instanceof ApiError))
          fastify.log.warn({ err: error, userId }, NOT_RENDERED);
      }
    };
    timers.set(userId, setTimeout(() => void start(), CHANGE_DELAY_MS).unref());
  });
  fastify.addHook('onClose', async () => {
    isClosed = true;
    for (const timer of timers.values()) clearTimeout(timer);
  });
}

const NOT_RENDERED = 'the preview picture of a changed card was not rendered';

function toResponse(
  etag: string,
  body: Buffer,
  cacheControl = UNVERSIONED_CACHE_CONTROL,
): StoredResponse {
  const headers = { ...PICTURE_HEADERS, 'cache-control': cacheControl };
  return new StoredResponse({ body, etag, headers });
}

function unversionedPath(userId: string, language: Language = 'en'): string {
  const path = `${cardPath(userId)}/preview.jpg`;
  return language === 'en' ? path : inLanguage(path, language);
}

function versionedPath(path: string, version: string | readonly string[] | undefined): string {
  if (version === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}v=${String(version)}`;
}

export function previewPath(card: Card, productName: string, language: Language): string {
  const path = unversionedPath(card.profile._id, card.translations[language] && language);
  return versionedPath(path, previewVersion(cardIn(card, language), productName));
}

function previewVersion({ profile, palette }: Card, productName: string): string {
  const { name, designation, companyName, profilePhoto } = profile;
  const { tones } = palette;
  const shown = [LAYOUT_VERSION, name, designation, companyName, profilePhoto, tones, productName];
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
  return hash.slice(0, VERSION_LENGTH);
}

async function renderPicture(
  { settings, dependencies }: AppContext,
  { profile, palette }: Card,
): Promise<Buffer> {
  const photo = await readJpeg(dependencies.photos, profile.profilePhoto, PHOTO_SIDE_PX_MAX);
  const name = renderableText(displayName(profile));
  const card = {
    id: profile._id,
    palette,
    name,
    initials: initials({ name }),
    designation: renderableText(profile.designation),
    companyName: renderableText(profile.companyName),
    productName: renderableText(settings.productName),
    photo,
  };
  return dependencies.renderer.render((renderImage) => renderPreview(renderImage, card));
}
