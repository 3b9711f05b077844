import { createHash } from 'node:crypto';

import { displayName, initials } from '#domain/display.ts';
import { inLanguage } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { PHOTO_SIDE_PX_MAX } from '#domain/photo.ts';
import { cardPath } from '#domain/share.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { bytesOf } from '#server/adapter/html/web-files.ts';
import { pageLanguage } from '#server/http/language.ts';
import { matchesEtag } from '#server/http/negotiation.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { cardIn, findCard } from '#server/adapter/profile/card.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { PICTURE_CACHE_CONTROL, readJpeg } from '#server/adapter/storage/photo-store.ts';

import placeholder from './placeholder-preview.jpg?inline';
import { renderPreview } from './preview-image.ts';
import { renderableText } from './preview-text.ts';
import { createRenderLimiter, waitForRender } from './render.ts';

const VERSION_LENGTH = 12;
/** Increase it whenever the layout changes, so that no cache shows the old picture. */
const LAYOUT_VERSION = 3;

/** Without a version the picture is revalidated each time. */
const UNVERSIONED_CACHE_CONTROL = 'public, no-cache';

/** The headers of every preview picture, except Cache-Control. */
const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'cross-origin-resource-policy': 'cross-origin',
};
/** A stored picture without text, for a card whose preview picture is not ready in time. */
const PLACEHOLDER = new StoredResponse({
  body: bytesOf(placeholder),
  headers: { ...PICTURE_HEADERS, 'cache-control': 'no-store' },
});

/** Registers the picture that chats show with a link to a card. */
export function previewRoutes(context: AppContext): void {
  const { dependencies, responses } = context;
  const { productName, languages } = context.settings;
  const limiter = createRenderLimiter();
  const etagOf = (card: Card) => `"${previewVersion(card, productName)}"`;
  /** The language of the address alone: chat apps fetch the picture for everybody. */
  const languageOf = (query: unknown) => pageLanguage(languages, query, undefined).language;

  async function find(userId: string, language: Language): Promise<Card | null> {
    const card = await findCard(dependencies.database, userId);
    return card && cardIn(card, language);
  }

  /** Renders the picture, unless the stale one is of the same version. */
  async function renderIfChanged(
    { userId }: CardKey,
    language: Language,
    stale: StoredResponse | null,
  ) {
    const card = await find(userId, language);
    if (!card) return null;
    const etag = etagOf(card);
    if (stale?.etag === etag) return stale;
    return toResponse(etag, await limiter.run(() => renderPicture(context, card), userId));
  }

  /** Not an error if it is not ready: chat apps do not retry. */
  function renderInTime(key: CardKey, language: Language): Promise<StoredResponse | null> {
    const rendered = responses.getOrRender(key, (stale) => renderIfChanged(key, language, stale));
    return waitForRender(rendered, PLACEHOLDER);
  }

  publicRoute(context, {
    url: unversionedPath(':userID'),
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
      picture ??= await renderInTime(current, language);
      if (picture === null || picture.etag !== `"${String(query['v'])}"`) return picture;
      const { etag, body } = picture;
      return responses.getOrRender(key, async () => toResponse(etag, body, PICTURE_CACHE_CONTROL));
    },
  });
}

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

/**
 * Returns the path of a card's preview picture in a language. It has a version, so that it can be cached
 * for a year.
 */
export function previewPath(card: Card, productName: string, language: Language): string {
  const path = unversionedPath(card.profile._id, card.translations[language] && language);
  return versionedPath(path, previewVersion(cardIn(card, language), productName));
}

/** Returns a hash of everything that the picture shows: layout, card and product name. */
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
