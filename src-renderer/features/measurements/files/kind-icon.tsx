import { ChartLine, File, FileArchive, FileText, Grid3x3, Image, Table2 } from 'lucide-react';
import styles from './file-grid.module.css';

/** Signs by the end of a name; what a file really is, its preview finds out. */
const kinds = [
  [/\.(?:csv|tsv|tab|xlsx?|parquet)$/i, Table2],
  [/\.(?:png|jpe?g|gif|webp|tiff?|bmp|svg)$/i, Image],
  [/\.(?:h5|hdf5?|nxs|nx|nc|cxi)$/i, Grid3x3],
  [/\.(?:mzml|mzxml|jdx|dx|xy|xye|spc)$/i, ChartLine],
  [/\.(?:zip|gz|tgz|tar|7z|xz|zst|bz2)$/i, FileArchive],
  [/\.(?:txt|log|md|json|xml|ya?ml|toml|ini|cfg|ipynb)$/i, FileText],
] as const;

/** A small sign of the kind of a file. */
export function KindIcon({ path }: { readonly path: string }) {
  const Icon = kinds.find(([end]) => end.test(path))?.[1] ?? File;
  return <Icon className={styles['kind']} aria-hidden />;
}
