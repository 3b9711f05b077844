import { displayName, linkDescription, pageTitle } from '#domain/display.ts';
import type { CardExtras } from '#domain/extras.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import { PAGE } from '#domain/language/en.ts';
import { inLanguage, keepLanguage } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import { photoSources } from '#domain/photo.ts';
import { PREVIEW_PICTURE_SIZE, qrPath } from '#domain/share.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { translateProfile } from '#domain/translation.ts';
import type { Translations } from '#domain/translation.ts';

import { Card } from './card.tsx';
import { Connect } from './connect.tsx';
import type { ConnectNotice } from './connect-notice.tsx';
import type { SecondPhone } from './contact-links.tsx';
import { Document, PageFooter } from './document.tsx';
import { CardTexts, IsTextWhole, ReceiptTexts, TranslationLink } from './language.tsx';
import { PageMosaic } from './mosaic.tsx';
import { PaySheet } from './extras.tsx';
import { POSTER_SIZES } from './portrait.tsx';

export interface CardPageProps {
  readonly language: PageLanguage;
  /** The card's own texts, not translated. */
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
  readonly sendTo: string;
  readonly notice: ConnectNotice | null;
  readonly style: string;
  readonly printStylePath: string;
  readonly script: string;
  /** The script of the sheet 'Pay by UPI'. */
  readonly payScriptPath: string;
  /** Without the kind; absent if visits are not counted. */
  readonly countAt?: string | undefined;
}

/** Complete without its script. */
export function CardPage(props: CardPageProps) {
  const { language, style, printStylePath, script } = props;
  const { card, page: texts, receipt } = CATALOGUES[language.language];
  const { copyLink } = texts;
  const { see } = receipt;
  const href = keepLanguage('/', language);
  const translation = props.translations[language.language];
  const profile = withName(translateProfile(props.profile, translation), texts.unknownName);
  return (
    <Document
      language={language}
      title={pageTitle(profile)}
      description={texts.description}
      isIndexed
      head={
        <>
          {/* The first paint is the whole card, not the half that a slow line has brought. */}
          <link rel="expect" href="#foot" blocking="render" />
          <PhotoPreload photo={profile.profilePhoto} />
          <LinkPreview
            {...props}
            profile={profile}
            url={translation ? inLanguage(props.url, language.language) : props.url}
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
            <CardPageBody {...props} texts={texts} shown={profile} />
          </ReceiptTexts>
        </IsTextWhole>
      </CardTexts>
    </Document>
  );
}

interface CardPageBodyProps extends CardPageProps {
  readonly texts: Catalogue['page'];
  /** Translated, as the visitor sees it. */
  readonly shown: Profile;
}

function CardPageBody(props: CardPageBodyProps) {
  const { language, texts, profile, shown, productName, appUrl, extras } = props;
  return (
    <>
      {/* Before the card, so that on a slow connection it exists when its button can be pressed. */}
      <Connect {...props} userId={profile._id} name={displayName(shown)} />
      <div className="page">
        <main className="page-column page-card" data-url={props.url}>
          <div id="in-app" hidden>
            {texts.inApp} <button>{texts.copyLink}</button>
          </div>
          <Card
            {...props}
            profile={shown}
            mode="live"
            languageLink={
              <TranslationLink
                language={language.language}
                translations={props.translations}
                label={texts.language}
              />
            }
          />
          {/* Loaded for a print only. */}
          <img className="print-qr" src={qrPath(profile._id)} loading="lazy" alt="" />
        </main>
        <PageMosaic />
        <PageFooter {...{ language, texts, productName, appUrl }} />
      </div>
      {extras.upi !== null && (
        <PaySheet
          texts={texts}
          upi={extras.upi}
          name={displayName(withName(profile, texts.unknownName))}
          scriptPath={props.payScriptPath}
        />
      )}
    </>
  );
}

/** Before the style and the tiles have arrived: the photo is most of what is to load. */
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

/** English cards have the name of domain/display.ts. */
function withName(profile: Profile, unknownName: string): Profile {
  const isUnnamed = displayName(profile) === PAGE.unknownName;
  return isUnnamed && unknownName !== PAGE.unknownName
    ? { ...profile, name: unknownName }
    : profile;
}

/** Open Graph tags (ogp.me), early in the page: the crawlers of chats read only its beginning. */
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
