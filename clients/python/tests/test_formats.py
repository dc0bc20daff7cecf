"""The libraries that laboratories read with, on files that lie on the server."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy
import pandas
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet
import pytest
import xarray
import zarr

import benchport
from benchport.filesystem import BenchportFileSystem
from faulty_server import Exchange, FaultyServer


def test_h5py_reads_one_frame_without_the_rest(
    broken: benchport.Measurement, server: FaultyServer, originals: Path
) -> None:
    with h5py.File(originals / "lab/scan.h5") as local:
        expected = local["entry/frames"][150]
    with h5py.File(broken["scan.h5"]) as file:
        assert file["entry/frames"].attrs["exposure_s"] == 0.25
        assert (file["entry/frames"][150] == expected).all()
    assert server.bytes_of_files < broken.entry("scan.h5").length / 20


def test_h5py_gets_no_bytes_of_another_version(
    broken: benchport.Measurement, server: FaultyServer
) -> None:
    def replaced(exchange: Exchange) -> None:
        exchange.headers["ETag"] = '"sha256-another"'

    with h5py.File(broken["scan.h5"]) as file:
        server.fault = replaced
        with pytest.raises(OSError, match="another one than the manifest"):
            file["entry/frames"][150]


def test_h5py_reads_whole_datasets(lab: benchport.Measurement, originals: Path) -> None:
    with h5py.File(lab["scan.h5"]) as file, h5py.File(originals / "lab/scan.h5") as local:
        assert (file["entry/large"][:] == local["entry/large"][:]).all()
        assert (file["entry/frames"][::7, 3] == local["entry/frames"][::7, 3]).all()


def test_zarr_reads_one_chunk(server: FaultyServer, token: str, originals: Path) -> None:
    local = zarr.open_array(originals / "lab/images.zarr", mode="r")
    options = {"server": server.url, "token": token}
    remote = zarr.open_array("benchport://lab/images.zarr", mode="r", storage_options=options)
    server.requests.clear()
    assert (remote[20, 20:30] == local[20, 20:30]).all()
    assert len(server.requests) == 1
    assert (remote[:] == local[:]).all()


def test_pandas_reads_by_address(lab: benchport.Measurement, originals: Path) -> None:
    expected = pandas.read_csv(originals / "lab/spectrum.csv")
    assert pandas.read_csv("benchport://lab/spectrum.csv").equals(expected)
    assert pandas.read_csv(lab["spectrum.csv"]).equals(expected)
    parquet = pandas.read_parquet("benchport://lab/tables/spectrum.parquet")
    assert numpy.allclose(parquet["wavelength_nm"], expected["wavelength_nm"])


def test_pyarrow_reads_columns_and_data_sets(lab: benchport.Measurement) -> None:
    table = pyarrow.parquet.read_table(lab["tables/spectrum.parquet"], columns=["counts"])
    assert table.column_names == ["counts"]
    files = pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(BenchportFileSystem()))
    found = pyarrow.dataset.dataset("lab/tables", filesystem=files)
    assert found.to_table().num_rows == 2000


def test_xarray_reads_netcdf_and_zarr(lab: benchport.Measurement, originals: Path) -> None:
    expected = xarray.load_dataset(originals / "lab/climate.nc", engine="h5netcdf")
    with xarray.open_dataset(lab["climate.nc"], engine="h5netcdf") as found:
        assert found.temperature.attrs == expected.temperature.attrs
        assert found.load().equals(expected)
    with xarray.open_zarr("benchport://lab/climate.zarr") as found:
        assert found.load().equals(expected)
