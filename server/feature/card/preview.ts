import { LRUCache } from 'lru-cache';

import { displayName, initials } from '#domain/display.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { Language } from '#domain/language/language.ts';
import { PHOTO_SIDE_PX_MAX } from '#domain/photo.ts';
import { PALETTES, idPalette } from '#domain/palette.ts';
import { cardPath } from '#domain/share.ts';
import { visibleTranslations } from '#domain/translation.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { ResponseKey } from '#server/http/cache/response-cache.ts';
import type { AppContext } from '#server/context.ts';
import { bytesOf } from '#server/adapter/html/web-files.ts';
import { languageIn } from '#server/http/language.ts';
import { matchesEtag } from '#server/http/representation.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { translateCard, findCard } from '#server/adapter/profile/card.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { PICTURE_CACHE_CONTROL, readJpeg } from '#server/adapter/storage/photo-store.ts';

import { HASH_LENGTH, previewVersion, unversionedPath, versionedPath } from './card-frame.ts';
import { renderPreview } from './preview-image.ts';
import { hasLetters, renderableText } from './preview-text.ts';
import { createRenderLimiter, renderAfterChanges, waitForRender } from './render.ts';

/** Chat apps wait a few seconds for a picture, and do not request it again. */
const WAIT_MS = 4 * SECOND_MS;
/** The latest pictures are kept, so that a change that does not appear in a picture needs no new one. */
const LATEST_PICTURES_SIZE_BYTES_MAX = 16 * 1024 * 1024;
/** The service remembers hashes of the texts of this many pictures, and keeps them longer than the pictures. */
const KNOWN_TEXTS_MAX = 10_000;

/** A picture whose URL has no version is revalidated each time. */
const UNVERSIONED_CACHE_CONTROL = 'public, no-cache';

const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'cross-origin-resource-policy': 'cross-origin',
};
/** One picture without text for each palette (scripts/icons.mjs) replaces a card's own that is not ready in time. */
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
  const { fastify, dependencies, responses, settings } = context;
  const { languages } = settings;
  const { findCardInLanguage, etagOf, getOrRender, renderIfTextsChanged } = createPictures(context);
  /** The URL alone decides the language, because chat apps fetch the picture once for everybody. */
  const languageOf = (query: unknown) => languageIn(query, languages).language;

  /** A card with a colour of its own gets the picture of the last palette, which is grey. */
  async function substitute(userId: string): Promise<StoredResponse | null> {
    const card = await findCard(dependencies.database, userId, context.brand).catch(() => null);
    const { deep } = card?.palette ?? idPalette(userId);
    return SUBSTITUTES.at(PALETTES.findIndex((palette) => palette.deep === deep)) ?? null;
  }

  renderAfterChanges({ fastify, responses }, renderIfTextsChanged);

  publicRoute(context, {
    url: ROUTE,
    pathOf: (userId, { query }) =>
      versionedPath(unversionedPath(userId, languageOf(query)), query['v']),
    respond: async (key, { headers, query }) => {
      const { userId } = key;
      const language = languageOf(query);
      const unversionedKey = { ...key, path: unversionedPath(userId, language) };
      const ifNoneMatch = headers['if-none-match'];
      let picture = responses.lookup(unversionedKey.path, unversionedKey.origin)?.response ?? null;
      if (!picture && ifNoneMatch !== undefined) {
        const card = await findCardInLanguage(userId, language);
        const etag = card && etagOf(card);
        // This response is always a 304, so its body is never sent.
        if (etag !== null && matchesEtag(ifNoneMatch, etag))
          return toResponse(etag, Buffer.alloc(0));
      }
      picture ??= await waitForRender(getOrRender(unversionedKey, language), WAIT_MS, () =>
        substitute(userId),
      );
      if (picture === null || picture.etag !== `"${String(query['v'])}"`) return picture;
      const { etag, body } = picture;
      return responses.getOrRender(key, async () => toResponse(etag, body, PICTURE_CACHE_CONTROL));
    },
  });
}

function createPictures(context: AppContext) {
  const { dependencies, responses, settings } = context;
  const limiter = createRenderLimiter();
  const latestPictures = new LRUCache<string, StoredResponse>({
    maxSize: LATEST_PICTURES_SIZE_BYTES_MAX,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
  });
  const latestTexts = new LRUCache<string, string>({ max: KNOWN_TEXTS_MAX });
  const etagOf = (card: Card) => `"${previewVersion(card, settings)}"`;

  async function findCardInLanguage(userId: string, language: Language): Promise<Card | null> {
    const card = await findCard(dependencies.database, userId, context.brand);
    return card && translateCard(card, language);
  }

  function getOrRender(key: PictureKey, language: Language): Promise<StoredResponse | null> {
    const { userId, path } = key;
    return responses.getOrRender(key, async () => {
      const card = await findCardInLanguage(userId, language);
      if (!card) return null;
      const etag = etagOf(card);
      const latestPicture = latestPictures.get(path);
      if (latestPicture?.etag === etag) return latestPicture;
      const picture = await limiter.run(() => renderPicture(context, card), userId);
      const response = toResponse(etag, picture);
      latestPictures.set(path, response);
      latestTexts.set(path, hashOfTexts(etag));
      return response;
    });
  }

  async function renderIfTextsChanged(userId: string): Promise<void> {
    const card = await findCard(dependencies.database, userId, context.brand);
    if (!card) return;
    const translatedLanguages = Object.keys(
      visibleTranslations(card.translations, settings.languages),
    );
    for (const language of ['en', ...translatedLanguages] as Language[]) {
      const path = unversionedPath(userId, language);
      if (latestTexts.get(path) === hashOfTexts(etagOf(translateCard(card, language)))) continue;
      await getOrRender({ userId, path, origin: '', route: ROUTE, encoding: 'identity' }, language);
    }
  }

  return { findCardInLanguage, etagOf, getOrRender, renderIfTextsChanged };
}

const ROUTE = unversionedPath(':userID');
type PictureKey = ResponseKey & { readonly userId: string };

function toResponse(
  etag: string,
  body: Buffer,
  cacheControl = UNVERSIONED_CACHE_CONTROL,
): StoredResponse {
  const headers = { ...PICTURE_HEADERS, 'cache-control': cacheControl };
  return new StoredResponse({ body, etag, headers });
}

/** Returns the first hash of an ETag, which follows the quotation mark. */
const hashOfTexts = (etag: string) => etag.slice(1, 1 + HASH_LENGTH);

async function renderPicture(
  { settings, dependencies }: AppContext,
  { profile, palette }: Card,
): Promise<Buffer> {
  const photo = await readJpeg(dependencies.photos, profile.profilePhoto, PHOTO_SIDE_PX_MAX);
  const name = renderableText(displayName(profile));
  const host = settings.publicUrl === null ? '' : new URL(settings.publicUrl).host;
  const card = {
    id: profile._id,
    palette,
    // The fonts lack some scripts and all emoji. If a name cannot be drawn, the card's link replaces it.
    name: hasLetters(name) ? name : `${host}${cardPath(profile._id)}`,
    initials: initials({ name }),
    designation: renderableText(profile.designation),
    companyName: renderableText(profile.companyName),
    productName: renderableText(settings.productName),
    photo,
  };
  return dependencies.renderer.render((renderImage) => renderPreview(renderImage, card));
}
