import { renderToStaticMarkup } from 'react-dom/server';
import type { ReactElement } from 'react';
import { StaticRouter, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';

import type { OwnerDocument } from '#contract/owner-document.ts';
import { LANGUAGE_LINKS_PLACEHOLDER, PRODUCT_NAME_PLACEHOLDER } from '#contract/owner-document.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import { TRANSLATIONS } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { idPalette } from '#domain/palette.ts';
import { PATHS } from '#domain/path.ts';
import type { View } from '#domain/view.ts';
import { accentStyle } from '#view/accent.ts';
import { CardLanguageContext } from '#view/language.tsx';
import { Page as Account } from './feature/account/page.tsx';
import { VerifyLayout } from './feature/account/verify-layout.tsx';
import { AnalyticsSkeleton } from './feature/analytics/skeleton.tsx';
import { Page as Appearance } from './feature/appearance/page.tsx';
import { ContactsSkeleton } from './feature/contact/skeleton.tsx';
import { Page as ComingSoon } from './feature/dashboard/coming-soon.tsx';
import { HomeSkeleton } from './feature/dashboard/home-skeleton.tsx';
import { Page as Shell } from './feature/dashboard/shell.tsx';
import { Page as Edit } from './feature/edit/page.tsx';
import { Page as Faces } from './feature/translation/page.tsx';
import { setSettings } from './shared/http/settings.ts';
import { Page as Onboarding } from './feature/onboarding/page.tsx';
import { ALL_PAGES, PLACEHOLDER, SHELL, modulesOf } from './page-table.ts';
import type { OwnerPageName } from './page-table.ts';
import { Page as Signature } from './feature/signature/page.tsx';
import { Layout, SAMPLE_PROFILE, SigninTexts, WidgetSkeleton } from './feature/signin/layout.tsx';

/* Runs at build time only: each document before its script runs. */

const SKELETONS: Readonly<Record<OwnerPageName, ReactElement>> = {
  onboarding: <Onboarding />,
  home: <HomeSkeleton userId={null} />,
  contacts: <ContactsSkeleton />,
  analytics: <AnalyticsSkeleton />,
  edit: <Edit />,
  appearance: <Appearance />,
  faces: <Faces />,
  account: <Account />,
  signature: <Signature />,
};

interface Source extends Pick<
  OwnerDocument,
  'paths' | 'title' | 'language' | 'view' | 'placeholderOf' | 'needsLanguages'
> {
  readonly entries: readonly string[];
  readonly modules: readonly string[];
  readonly element: ReactElement;
}

const applicationDocuments: readonly Source[] = ALL_PAGES.flatMap((row) => {
  const { name, path, title, scripts = [], view, needsLanguages } = row;
  const source = (modules: readonly string[]): Source => ({
    paths: [path],
    title,
    needsLanguages,
    entries: [...scripts, 'main.tsx'],
    modules,
    element: modules.includes(PLACEHOLDER) ? <ComingSoon /> : SKELETONS[name],
  });
  if (view === undefined) return [source(row.modules)];
  return [
    { ...source(row.modules), view },
    { ...source(modulesOf(row, [])), placeholderOf: view },
  ];
});

function signinDocument(language: Language): Source {
  const { card, signin } = CATALOGUES[language];
  return {
    paths: [PATHS.start, PATHS.login],
    title: signin.title,
    language: language === 'en' ? undefined : language,
    entries: ['feature/signin/main.ts'],
    modules: [],
    element: (
      <SigninTexts value={signin}>
        <CardLanguageContext value={{ texts: card, isMarked: false }}>
          <Layout foot={LANGUAGE_LINKS_PLACEHOLDER}>
            <WidgetSkeleton />
          </Layout>
        </CardLanguageContext>
      </SigninTexts>
    ),
  };
}

export const OWNER_DOCUMENTS: readonly Source[] = [
  signinDocument('en'),
  ...TRANSLATIONS.map(signinDocument),
  ...applicationDocuments,
  {
    paths: [PATHS.accountVerify],
    title: 'Account and data',
    entries: ['feature/account/verify.ts'],
    modules: [],
    element: <VerifyLayout />,
  },
];

/** Added to the style sheet: the documents have no style attributes. */
export const SAMPLE_STYLE = accentStyle(idPalette(SAMPLE_PROFILE._id), '.signin-card');

export function prerender({ paths: [path = ''], view, modules, element }: Source): string {
  const views: View[] = view ? [view] : [];
  setSettings({
    productName: PRODUCT_NAME_PLACEHOLDER,
    supportEmail: '',
    publicUrl: '',
    apiUrl: '',
    serverUrl: '',
    iconBaseUrl: '',
    vitalsUrl: '',
    views,
    wallets: [],
  });
  const page: RouteObject = { path: '*', element };
  const routes = modules.includes(SHELL) ? [{ element: <Shell />, children: [page] }] : [page];
  return renderToStaticMarkup(
    <StaticRouter location={path}>
      <Routes routes={routes} />
    </StaticRouter>,
  );
}

function Routes({ routes }: { readonly routes: RouteObject[] }) {
  return useRoutes(routes);
}
