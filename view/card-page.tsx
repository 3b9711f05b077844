import { displayName, linkDescription, pageTitle } from '#domain/display.ts';
import type { CardExtras } from '#domain/extras.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import { PAGE } from '#domain/language/en.ts';
import { withLanguageQuery, keepUrlLanguage } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import { photoSources } from '#domain/photo.ts';
import { PREVIEW_PICTURE_SIZE, qrPath } from '#domain/share.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { translateProfile } from '#domain/translation.ts';
import type { Translations } from '#domain/translation.ts';

import { Card } from './card.tsx';
import type { ConnectNotice } from './connect-notice.tsx';
import type { SecondPhone } from './contact-links.tsx';
import { Document, PageFooter } from './document.tsx';
import { CardTexts, IsTextWhole, LanguageMenu, ReceiptTexts } from './language.tsx';
import { PageMosaic } from './mosaic.tsx';
import { PaySheet } from './extras.tsx';
import { POSTER_SIZES } from './portrait.tsx';

interface CardFrameProps {
  readonly language: PageLanguage;
  readonly style: string;
  readonly printStylePath: string;
  readonly script: string;
  /** The mark that the server replaces with what differs between cards. */
  readonly slot: string;
}

/** The page without what differs between cards. */
export function CardFrame({ slot, ...props }: CardFrameProps) {
  const { description } = CATALOGUES[props.language.language].page;
  const head = (
    <>
      {/* On a slow connection, the first paint waits for the whole card. */}
      <link rel="expect" href="#foot" blocking="render" />
      {slot}
    </>
  );
  return (
    <Document {...props} {...{ description, head }} isIndexed>
      {slot}
    </Document>
  );
}

export interface CardPageProps {
  readonly language: PageLanguage;
  /** The profile as its owner wrote it, without a translation. */
  readonly profile: Profile;
  /** The profile as the visitor reads it. */
  readonly localized: Profile;
  readonly translations: Translations;
  readonly palette: Palette;
  readonly logo: string;
  readonly extras: CardExtras;
  readonly isTextWhole: boolean;
  readonly phoneText: string;
  readonly phoneHref: string | null;
  readonly secondPhone?: SecondPhone | undefined;
  readonly url: string;
  readonly previewImageUrl: string;
  readonly productName: string;
  readonly appUrl: string;
  readonly iconBaseUrl: string;
  readonly notice: ConnectNotice | null;
  readonly payScriptPath: string;
}

/** Returns the profile as the visitor reads it: translated, and with a name. */
export function localizeProfile({
  profile,
  translations,
  language: { language },
}: Pick<CardPageProps, 'profile' | 'translations' | 'language'>): Profile {
  const { unknownName } = CATALOGUES[language].page;
  return translateUnknownName(translateProfile(profile, translations[language]), unknownName);
}

/** What follows the pop-up of view/connect.tsx. The page is complete without its script. */
export function CardPage(props: CardPageProps) {
  const { language } = props;
  const { card, page, receipt } = CATALOGUES[language.language];
  const links = { see: receipt.see, copyLink: page.copyLink, href: keepUrlLanguage('/', language) };
  return (
    <CardTexts value={card}>
      <IsTextWhole value={props.isTextWhole}>
        <ReceiptTexts value={props.notice?.hasReceipt ? links : null}>
          <CardPageBody {...props} texts={page} />
        </ReceiptTexts>
      </IsTextWhole>
    </CardTexts>
  );
}

function CardPageBody(props: CardPageProps & { readonly texts: Catalogue['page'] }) {
  const { language, texts, profile, localized, productName, appUrl, extras } = props;
  return (
    <>
      <div className="page">
        <main className="page-column page-card" data-url={props.url}>
          <div id="in-app" hidden>
            {texts.inApp} <button>{texts.copyLink}</button>
          </div>
          <Card
            {...props}
            profile={localized}
            mode="live"
            languageMenu={<LanguageMenu {...language} label={texts.language} />}
          />
          {/* The browser loads this image only when the page is printed. */}
          <img className="print-qr" src={qrPath(profile._id)} loading="lazy" alt="" />
        </main>
        <PageMosaic />
        <PageFooter {...{ language, texts, productName, appUrl }}>
          <button className="button" type="button">
            {texts.print}
          </button>
        </PageFooter>
      </div>
      {extras.upi !== null && (
        <PaySheet
          texts={texts}
          upi={extras.upi}
          payee={profile.name}
          name={displayName(translateUnknownName(profile, texts.unknownName))}
          scriptPath={props.payScriptPath}
        />
      )}
    </>
  );
}

/** Translates the name of an unnamed profile. In English, domain/display.ts supplies it. */
function translateUnknownName(profile: Profile, unknownName: string): Profile {
  const isUnnamed = displayName(profile) === PAGE.unknownName;
  return isUnnamed && unknownName !== PAGE.unknownName
    ? { ...profile, name: unknownName }
    : profile;
}

const HTML_ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
/** Escapes what React escapes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character as keyof typeof HTML_ENTITIES]);

const tag = (name: 'link' | 'meta', attributes: Readonly<Record<string, string>>) =>
  `<${name}${Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
    .join('')}/>`;

/**
 * Returns what differs between cards in the head, as text, because React takes longer. The photo is most of what
 * a card loads, and the crawlers of chats read only the beginning of a page, so the preload and the Open Graph
 * tags (ogp.me) come before the style.
 */
export function cardHead(
  { language, localized, translations, ...props }: CardPageProps,
  accent: string,
): string {
  const texts = CATALOGUES[language.language].page;
  const title = pageTitle(localized);
  const isTranslated = translations[language.language] !== undefined;
  const url = isTranslated ? withLanguageQuery(props.url, language.language) : props.url;
  const webpSet = photoSources(localized.profilePhoto)?.webpSet ?? '';
  const preload = {
    rel: 'preload',
    as: 'image',
    type: 'image/webp',
    imagesrcset: webpSet,
    imagesizes: POSTER_SIZES,
    fetchpriority: 'high',
  };
  const properties = {
    type: 'profile',
    title,
    description: linkDescription(localized) || texts.description,
    url,
    site_name: props.productName,
    image: props.previewImageUrl,
    'image:width': String(PREVIEW_PICTURE_SIZE.widthPx),
    'image:height': String(PREVIEW_PICTURE_SIZE.heightPx),
    'image:alt': fillText(texts.pictureOf, { name: displayName(localized) }),
  };
  return [
    `<title>${escapeHtml(title)}</title>`,
    tag('link', { rel: 'canonical', href: url }),
    webpSet === '' ? '' : tag('link', preload),
    ...Object.entries(properties).map(([name, content]) =>
      tag('meta', { property: `og:${name}`, content }),
    ),
    tag('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    `<style>${accent}</style>`,
  ].join('');
}
