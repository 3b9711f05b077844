import '#view/tokens.css';
import './base.css';

import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';

import { reportVitals } from './http/vitals.ts';
import { router } from './router.tsx';

const place = document.querySelector('#application');
if (place) createRoot(place).render(<RouterProvider router={router} />);
reportVitals();
