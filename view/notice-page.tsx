import type { ReactNode } from 'react';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { keepLanguage } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import { POSTER_GRID } from '#domain/mosaic.ts';
import { PATHS } from '#domain/path.ts';

import { Document, PageFooter } from './document.tsx';
import { Mosaic } from './mosaic.tsx';

interface NoticePageProps {
  readonly language: PageLanguage;
  /** By default the heading. */
  readonly title?: string;
  readonly productName: string;
  readonly description?: string | undefined;
  readonly heading: string;
  readonly headingLanguage?: Language;
  readonly sentence: ReactNode;
  /** What the reader can do. */
  readonly advice?: string | undefined;
  readonly children?: ReactNode;
  /** With it the page has a footer. */
  readonly appUrl?: string;
  readonly style: string;
}

/** Never indexed. */
export function NoticePage(props: NoticePageProps) {
  const { language, heading, title = heading, productName, headingLanguage, sentence } = props;
  const { description, advice, children, appUrl, style } = props;
  return (
    <Document
      {...{ language, description, style }}
      title={`${title} - ${productName}`}
      isIndexed={false}
    >
      <div className="page">
        <main className="page-column">
          <div className="business-card">
            <Mosaic seed={heading} grid={POSTER_GRID} className="mosaic notice-band" />
            <div className="notice">
              <h1>{headingLanguage ? <bdi lang={headingLanguage}>{heading}</bdi> : heading}</h1>
              <p>{sentence}</p>
              {advice !== undefined && <p>{advice}</p>}
              {children}
            </div>
          </div>
        </main>
        {appUrl !== undefined && (
          <PageFooter
            {...{ language, productName, appUrl }}
            texts={CATALOGUES[language.language].page}
          />
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
  | 'ourFault';

export type Frame = Pick<NoticePageProps, 'language' | 'productName' | 'style'>;

interface ErrorPageProps extends Frame {
  readonly sentence: ErrorSentence;
}

/** docs/product.md#error-screen. The heading is not translated. */
export function ErrorPage({ sentence, ...frame }: ErrorPageProps) {
  const { language, productName } = frame;
  const { page: texts, code } = CATALOGUES[language.language];
  return (
    <NoticePage
      {...frame}
      title={texts.error}
      heading="Unexpected Application Error!"
      headingLanguage="en"
      sentence={sentence === 'ourFault' ? code.ourFault : texts[sentence]}
    >
      <p>
        <a href={keepLanguage(PATHS.start, language)}>
          {fillText(texts.goTo, { product: productName })}
        </a>
      </p>
    </NoticePage>
  );
}

/** A contact that was shared with the installed application did not arrive. */
export function SharePage(frame: Frame) {
  return (
    <NoticePage
      {...frame}
      heading="Choose the file again"
      sentence="The contact that you shared did not arrive. Sign in, press Import contacts and choose its file."
    >
      <p>
        <a href={PATHS.contacts}>Go to Contacts</a>
      </p>
    </NoticePage>
  );
}

type NoCardTexts = Pick<NoticePageProps, 'heading' | 'sentence' | 'description' | 'advice'>;

/** docs/product.md#public-card. */
const noCardPage =
  (textsOf: (texts: Catalogue['page']) => NoCardTexts) =>
  (frame: Frame & { readonly appUrl: string }) => (
    <NoticePage {...frame} {...textsOf(CATALOGUES[frame.language.language].page)} />
  );

export const UnknownPage = noCardPage(({ unknownName, unknownUser, description, checkLink }) => ({
  heading: unknownName,
  sentence: unknownUser,
  description,
  advice: checkLink,
}));
export const NotReadyPage = noCardPage(({ notReady, noPhone, description }) => ({
  heading: notReady,
  sentence: noPhone,
  description,
}));
export const BlockedPage = noCardPage(({ blocked, takenDown }) => ({
  heading: blocked,
  sentence: takenDown,
}));
