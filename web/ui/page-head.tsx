import './page-head.css';

import { useNavigate } from 'react-router';

import { IconButton } from './button.tsx';
import { OfflineNote } from './offline-note.tsx';

interface PageHeadProps {
  readonly title: string;
  /** The path that the back arrow opens. */
  readonly backPath: string;
}

/** The header of a page without the dashboard's sidebar: the back arrow and the title. */
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
