"""Writes the folders that the tests register: the formats that laboratories read by ranges.

usage: make_measurements.py FOLDER
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import h5py
import numpy
import pandas
import xarray
import zarr

rows = 2000


def write_lab(folder: Path) -> None:
    """One measurement with a file of each kind."""
    folder.mkdir(parents=True)
    numbers = numpy.random.default_rng(7)
    with h5py.File(folder / "scan.h5", "w") as file:
        frames = numbers.integers(0, 4096, (200, 64, 64), dtype="uint16")
        data = file.create_dataset("entry/frames", data=frames, chunks=(1, 64, 64))
        data.attrs["exposure_s"] = 0.25
        file["entry/large"] = numbers.random(2_000_000)
    table = pandas.DataFrame(
        {
            "wavelength_nm": numpy.linspace(400, 700, rows),
            "counts": numbers.integers(0, 1000, rows),
        }
    )
    table.to_csv(folder / "spectrum.csv", index=False)
    (folder / "tables").mkdir()
    table.to_parquet(folder / "tables/spectrum.parquet")
    axis = numpy.arange(rows)
    temperature = xarray.DataArray(numbers.random(rows), coords={"time": axis}, dims="time")
    climate = xarray.Dataset({"temperature": temperature})
    climate.to_netcdf(folder / "climate.nc", engine="h5netcdf")
    climate.to_zarr(folder / "climate.zarr", zarr_format=3)
    images = zarr.create_array(folder / "images.zarr", shape=(64, 64), chunks=(16, 16), dtype="f4")
    images[:] = numbers.random((64, 64), dtype="float32")
    write_odd(folder)


def write_odd(folder: Path) -> None:
    """Names and lengths that are easily got wrong."""
    odd = folder / "odd names"
    odd.mkdir()
    (odd / "größe µm #1?.txt").write_text("5 µm\n", "utf-8")
    (odd / "100% [a].txt").write_text("percent\n", "utf-8")
    (odd / "empty.dat").write_bytes(b"")
    for number in (1, 2, 10):
        (odd / f"frame{number}.bin").write_bytes(random.Random(number).randbytes(3000))
    (odd / "big.bin").write_bytes(random.Random(8).randbytes(9_000_000))


def write_changing(folder: Path) -> None:
    """A measurement whose file a test alters."""
    folder.mkdir()
    (folder / "altered.bin").write_bytes(random.Random(1).randbytes(3_000_000))
    (folder / "good.bin").write_bytes(random.Random(2).randbytes(1000))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    write_lab(target / "lab")
    write_changing(target / "changing")
