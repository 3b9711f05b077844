import { displayName, linkDescription, pageTitle } from '#domain/display.ts';
import type { CardExtras } from '#domain/extras.ts';
import { photoSources } from '#domain/photo.ts';
import { PREVIEW_PICTURE_SIZE, qrPath } from '#domain/share.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';

import { Card } from './card.tsx';
import { Connect } from './connect.tsx';
import type { ConnectNotice } from './connect.tsx';
import { CARD_DESCRIPTION, Document, PageFooter } from './document.tsx';
import { PageMosaic } from './mosaic.tsx';
import { PaySheet } from './pay-sheet.tsx';
import { POSTER_SIZES } from './portrait.tsx';

export interface CardPageProps {
  readonly profile: Profile;
  readonly palette: Palette;
  readonly logo: string;
  readonly extras: CardExtras;
  readonly phoneText: string;
  readonly phoneHref: string | null;
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
  /** Of the sheet 'Pay by UPI'. */
  readonly payScriptPath: string;
  /** Without the kind; absent if visits are not counted. */
  readonly countAt?: string | undefined;
}

/** Complete without its script. */
export function CardPage(props: CardPageProps) {
  const { profile, productName, appUrl, iconBaseUrl, style, script, countAt, extras } = props;
  return (
    <Document
      title={pageTitle(profile)}
      description={CARD_DESCRIPTION}
      isIndexed
      head={
        <>
          <PhotoPreload photo={profile.profilePhoto} />
          <LinkPreview {...props} />
        </>
      }
      style={style}
      printStylePath={props.printStylePath}
      script={script}
    >
      {/* Before the card, so that on a slow connection it exists when its button can be pressed. */}
      <Connect
        userId={profile._id}
        name={displayName(profile)}
        sendTo={props.sendTo}
        countAt={countAt}
        notice={props.notice}
      />
      <div className="page">
        <main className="page-column page-card" data-url={props.url}>
          <div id="in-app" hidden>
            To save this contact, open this page in your browser. <button>Copy link</button>
          </div>
          <Card
            profile={profile}
            palette={props.palette}
            logo={props.logo}
            extras={extras}
            phoneText={props.phoneText}
            phoneHref={props.phoneHref}
            iconBaseUrl={iconBaseUrl}
            mode="live"
          />
          {/* Loaded for a print only. */}
          <img className="print-qr" src={qrPath(profile._id)} loading="lazy" alt="" />
        </main>
        <PageMosaic />
        <PageFooter productName={productName} appUrl={appUrl} />
      </div>
      {extras.upi !== null && (
        <PaySheet upi={extras.upi} profile={profile} scriptPath={props.payScriptPath} />
      )}
    </Document>
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

/** Open Graph tags (ogp.me), early in the page: the crawlers of chats read only its beginning. */
function LinkPreview({ profile, url, previewImageUrl, productName }: CardPageProps) {
  const description = linkDescription(profile) || CARD_DESCRIPTION;
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
      <meta property="og:image:alt" content={`The business card of ${displayName(profile)}`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
