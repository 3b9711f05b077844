import './page-head.css';

import { useNavigate } from 'react-router';

import { IconButton } from './button.tsx';
import { OfflineNote } from './offline-note.tsx';

interface PageHeadProps {
  readonly title: string;
  readonly backPath: string;
}

/** For a page without the dashboard's sidebar. */
export function PageHead({ title, backPath }: PageHeadProps) {
  const navigate = useNavigate();
  return (
    <header className="page-head">
      <IconButton name="Back" icon="back" onClick={() => void navigate(backPath)} />
      <h1>{title}</h1>
      <OfflineNote />
    </header>
  );
}
