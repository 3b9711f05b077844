import type { ReactNode } from 'react';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { keepUrlLanguage } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import { POSTER_GRID } from '#domain/mosaic.ts';
import type { Palette } from '#domain/palette.ts';
import { PATHS } from '#domain/path.ts';

import { Document, PageFooter } from './document.tsx';
import { LanguageMenu } from './language.tsx';
import { Mosaic } from './mosaic.tsx';

interface NoticePageProps {
  readonly language: PageLanguage;
  readonly title?: string;
  readonly productName: string;
  readonly description?: string | undefined;
  readonly heading: string;
  readonly headingLanguage?: Language;
  readonly sentence: ReactNode;
  readonly advice?: string | undefined;
  readonly children?: ReactNode;
  /** The page has a footer only if this is given. */
  readonly appUrl?: string;
  readonly style: string;
  /** What the mosaic is made of. By default, it is the heading. */
  readonly seed?: string;
  readonly palette?: Palette;
}

/** Shows a heading and a sentence in place of a card. Search engines do not index it. */
export function NoticePage(props: NoticePageProps) {
  const { language, heading, title = heading, productName, headingLanguage, sentence } = props;
  const { description, advice, children, appUrl, style, seed = heading, palette } = props;
  const texts = CATALOGUES[language.language].page;
  return (
    <Document
      {...{ language, description, style }}
      title={`${title} - ${productName}`}
      isIndexed={false}
    >
      <div className="page">
        <main className="page-column">
          <div className="business-card">
            <Mosaic {...{ seed, palette }} grid={POSTER_GRID} className="mosaic notice-band" />
            {appUrl !== undefined && <LanguageMenu {...language} label={texts.language} />}
            <div className="notice">
              <h1>{headingLanguage ? <bdi lang={headingLanguage}>{heading}</bdi> : heading}</h1>
              <p>{sentence}</p>
              {advice !== undefined && <p>{advice}</p>}
              {children}
            </div>
          </div>
        </main>
        {appUrl !== undefined && (
          <PageFooter {...{ language, productName, appUrl }} texts={texts} />
        )}
      </div>
    </Document>
  );
}

export type ErrorSentence =
  | 'badAddress'
  | 'nothingHere'
  | 'blockedSentence'
  | 'tooMuch'
  | 'notNow'
  | 'signInAgain'
  | 'ourFault';

export type NoticeFrame = Pick<NoticePageProps, 'language' | 'productName' | 'style'>;

interface ErrorPageProps extends NoticeFrame {
  readonly sentence: ErrorSentence;
}

/** The error screen of docs/develop/product.md#error-screen. Its heading is not translated. */
export function ErrorPage({ sentence, ...frame }: ErrorPageProps) {
  const { language, productName } = frame;
  const { page: texts, code, signin } = CATALOGUES[language.language];
  return (
    <NoticePage
      {...frame}
      title={texts.error}
      heading="Unexpected Application Error!"
      headingLanguage="en"
      sentence={{ ...texts, ...code, ...signin }[sentence]}
    >
      <p>
        <a href={keepUrlLanguage(PATHS.start, language)}>
          {fillText(texts.goTo, { product: productName })}
        </a>
      </p>
    </NoticePage>
  );
}

/** Says that a contact that was shared with the installed app did not arrive. */
export function SharePage(frame: NoticeFrame) {
  return (
    <NoticePage
      {...frame}
      heading="Choose the file again"
      sentence="The contact you shared didn't arrive. Sign in, tap Import contacts and choose its file."
    >
      <p>
        <a href={PATHS.contacts}>Go to Contacts</a>
      </p>
    </NoticePage>
  );
}

type NoCardTexts = Pick<NoticePageProps, 'heading' | 'sentence' | 'description' | 'advice'>;

/** Creates a page for a card that cannot be shown (docs/develop/product.md#public-card). */
const createNoCardPage =
  (textsOf: (texts: Catalogue['page']) => NoCardTexts) =>
  (frame: NoticeFrame & { readonly appUrl: string }) => (
    <NoticePage {...frame} {...textsOf(CATALOGUES[frame.language.language].page)} />
  );

export const UnknownPage = createNoCardPage(
  ({ unknownName, unknownUser, description, checkLink }) => ({
    heading: unknownName,
    sentence: unknownUser,
    description,
    advice: checkLink,
  }),
);
export const NotReadyPage = createNoCardPage(({ notReady, settingUp, description }) => ({
  heading: notReady,
  sentence: settingUp,
  description,
}));
export const BlockedPage = createNoCardPage(({ blocked, takenDown }) => ({
  heading: blocked,
  sentence: takenDown,
}));
