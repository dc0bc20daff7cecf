"""Uploads a file with tuspy: client.py FILE URL TOKEN ID"""
import os
import sys

from tusclient.client import TusClient

file, url, token, name = sys.argv[1:]
client = TusClient(f"{url}/api/v4/measurements/uploads", headers={"Authorization": f"Bearer {token}"})
metadata = {"id": name, "filename": os.path.basename(file), "title": "Größe"}
first = client.uploader(file, chunk_size=1_000_000, metadata=metadata)
first.upload_chunk()
# As after a restart, with nothing but the address; a checksum with each chunk.
second = client.uploader(file, chunk_size=700_000, url=first.url, upload_checksum=True)
assert second.offset == 1_000_000, second.offset
second.upload()
