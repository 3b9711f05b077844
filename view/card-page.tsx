import type { ReactNode } from 'react';

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

export interface CardPageProps {
  readonly language: PageLanguage;
  /** The profile as its owner wrote it, without a translation. */
  readonly profile: Profile;
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
  /** The pop-up of view/connect.tsx, or the mark that the server replaces with it. */
  readonly connect: ReactNode;
  readonly notice: ConnectNotice | null;
  readonly style: string;
  readonly printStylePath: string;
  readonly script: string;
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

/** The page is complete without its script. */
export function CardPage(props: CardPageProps) {
  const { language, style, printStylePath, script } = props;
  const { card, page: texts, receipt } = CATALOGUES[language.language];
  const { copyLink } = texts;
  const { see } = receipt;
  const href = keepUrlLanguage('/', language);
  const translation = props.translations[language.language];
  const profile = localizeProfile(props);
  return (
    <Document
      language={language}
      title={pageTitle(profile)}
      description={texts.description}
      isIndexed
      head={
        <>
          {/* On a slow connection, the first paint waits for the whole card. */}
          <link rel="expect" href="#foot" blocking="render" />
          <PhotoPreload photo={profile.profilePhoto} />
          <LinkPreview
            {...props}
            profile={profile}
            url={translation ? withLanguageQuery(props.url, language.language) : props.url}
          />
        </>
      }
      style={style}
      printStylePath={printStylePath}
      script={script}
    >
      <CardTexts value={card}>
        <IsTextWhole value={props.isTextWhole}>
          <ReceiptTexts value={props.notice?.hasReceipt ? { see, copyLink, href } : null}>
            <CardPageBody {...props} texts={texts} localized={profile} />
          </ReceiptTexts>
        </IsTextWhole>
      </CardTexts>
    </Document>
  );
}

interface CardPageBodyProps extends CardPageProps {
  readonly texts: Catalogue['page'];
  readonly localized: Profile;
}

function CardPageBody(props: CardPageBodyProps) {
  const { language, texts, profile, localized, productName, appUrl, extras } = props;
  return (
    <>
      {/* The pop-up precedes the card, so that on a slow connection it exists before its button does. */}
      {props.connect}
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

/** The photo is most of what a card loads, so it starts before the style and the tiles have arrived. */
function PhotoPreload({ photo }: { readonly photo: string }) {
  const webpSet = photoSources(photo)?.webpSet ?? '';
  if (webpSet === '') return null;
  return (
    <link
      rel="preload"
      as="image"
      type="image/webp"
      imageSrcSet={webpSet}
      imageSizes={POSTER_SIZES}
      fetchPriority="high"
    />
  );
}

/** Translates the name of an unnamed profile. In English, domain/display.ts supplies it. */
function translateUnknownName(profile: Profile, unknownName: string): Profile {
  const isUnnamed = displayName(profile) === PAGE.unknownName;
  return isUnnamed && unknownName !== PAGE.unknownName
    ? { ...profile, name: unknownName }
    : profile;
}

/** The Open Graph tags (ogp.me) come early, because the crawlers of chats read only the beginning of a page. */
function LinkPreview({ language, profile, url, previewImageUrl, productName }: CardPageProps) {
  const texts = CATALOGUES[language.language].page;
  const description = linkDescription(profile) || texts.description;
  return (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:type" content="profile" />
      <meta property="og:title" content={pageTitle(profile)} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:site_name" content={productName} />
      <meta property="og:image" content={previewImageUrl} />
      <meta property="og:image:width" content={String(PREVIEW_PICTURE_SIZE.widthPx)} />
      <meta property="og:image:height" content={String(PREVIEW_PICTURE_SIZE.heightPx)} />
      <meta
        property="og:image:alt"
        content={fillText(texts.pictureOf, { name: displayName(profile) })}
      />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
