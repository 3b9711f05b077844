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
  readonly title: string;
  readonly description?: string | undefined;
  readonly heading: string;
  /** By default that of the page. */
  readonly headingLanguage?: Language;
  readonly sentence: ReactNode;
  /** What the reader can do. */
  readonly advice?: string | undefined;
  readonly children?: ReactNode;
  readonly footer?: { readonly productName: string; readonly appUrl: string };
  readonly style: string;
}

/** Never indexed. */
export function NoticePage(props: NoticePageProps) {
  const { language, title, description, heading, headingLanguage, sentence, advice } = props;
  const { children, footer, style } = props;
  return (
    <Document
      language={language}
      title={title}
      description={description}
      isIndexed={false}
      style={style}
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
        {footer && (
          <PageFooter {...footer} language={language} texts={CATALOGUES[language.language].page} />
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

interface ErrorPageProps {
  readonly language: PageLanguage;
  readonly productName: string;
  readonly sentence: ErrorSentence;
  readonly style: string;
}

/** docs/product.md#error-screen. The heading is not translated. */
export function ErrorPage({ language, productName, sentence, style }: ErrorPageProps) {
  const texts = CATALOGUES[language.language].page;
  return (
    <NoticePage
      language={language}
      title={`${texts.error} - ${productName}`}
      heading="Unexpected Application Error!"
      headingLanguage="en"
      sentence={texts[sentence]}
      style={style}
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
export function SharePage({ language, productName, style }: Omit<ErrorPageProps, 'sentence'>) {
  return (
    <NoticePage
      language={language}
      title={`Choose the file again - ${productName}`}
      heading="Choose the file again"
      sentence="The contact that you shared did not arrive. Sign in, press Import contacts and choose its file."
      style={style}
    >
      <p>
        <a href={PATHS.contacts}>Go to Contacts</a>
      </p>
    </NoticePage>
  );
}

interface NoCardPageProps {
  readonly language: PageLanguage;
  readonly productName: string;
  readonly appUrl: string;
  readonly style: string;
}

type NoCardTexts = Pick<NoticePageProps, 'heading' | 'sentence' | 'description' | 'advice'>;

/** docs/product.md#public-card. */
const noCardPage =
  (textsOf: (texts: Catalogue['page']) => NoCardTexts) =>
  ({ language, style, ...footer }: NoCardPageProps) => {
    const texts = textsOf(CATALOGUES[language.language].page);
    return (
      <NoticePage
        {...texts}
        language={language}
        title={`${texts.heading} - ${footer.productName}`}
        footer={footer}
        style={style}
      />
    );
  };

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
