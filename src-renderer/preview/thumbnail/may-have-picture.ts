const ends =
  /\.(?:png|jpe?g|gif|webp|svg|tiff?|btf|h5|hdf5?|he5|nxs|nx5|nc4?|cxi|emd|h5ad|loom|fast5|csv|tsv|tab|asc|xye?|mzml|jdx|dx|jcm|jcamp|nii|nii\.gz)$/i;

/** Whether a file of this name probably has a picture or a curve; its bytes decide. */
export function mayHavePicture(path: string): boolean {
  return ends.test(path);
}
