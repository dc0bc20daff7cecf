import { malformed } from '../provider/preview-error.ts';
import { hasBytes } from './common/magic.ts';
import { defaultDataset } from './hdf5/default-plot.ts';
import { describeNode } from './hdf5/describe-node.ts';
import { loadFilters } from './hdf5/load-filters.ts';
import { openHdf5, prepareHdf5 } from './hdf5/open-hdf5.ts';
import { readLine, readPlane } from './hdf5/read-arrays.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';

const signature = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** A user block of 512 bytes or a multiple may stand before the superblock (HDF5 specification II.A). */
const places = [0, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];

/** Names that such files mostly have. */
const names = /\.(?:h5|hdf5?|he5|nxs|nx5|nc4?|cxi|emd|h5ad|loom|fast5)$/;

/** HDF5, and with it NeXus and NetCDF-4. */
export const hdf5Reader: Reader = {
  matches: ({ head }) => places.some((at) => hasBytes(head, at, signature)),
  prepare: (name) => {
    if (names.test(name)) prepareHdf5();
  },
  async open(source): Promise<OpenedFile> {
    const file = await openHdf5(source);
    return {
      content: { ...plainContent('HDF5 file', ['tree']), firstDataset: defaultDataset(file) },
      async answer(question) {
        if ('path' in question) await loadFilters(file, source, question.path);
        if (question.kind === 'node') return describeNode(file, question.path);
        if (question.kind === 'line') return readLine(file, question.path, question.at);
        if (question.kind === 'plane') return readPlane(file, question.path, question.at);
        throw malformed('An HDF5 file has no such part.');
      },
    };
  },
};
