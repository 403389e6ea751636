"""What google_cloud_storage_test.py runs under the client's own Python."""

import os
import sys
import tempfile

from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage


def raises(kind, call):
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind} was not raised")


def check_uploads(bucket):
    small = bucket.blob("a/small.txt")
    small.metadata = {"who": "me"}
    small.upload_from_string("hello", content_type="text/plain")
    assert small.size == 5 and small.generation > 0, small.size
    data = os.urandom(20 << 20)  # Above the client's threshold for resumable uploads.
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        big = bucket.blob("a/big.bin")
        big.upload_from_filename(file.name, checksum="crc32c")
    chunked = bucket.blob("a/chunked.bin", chunk_size=1 << 20)
    with chunked.open("wb") as file:  # Of unknown length, piece by piece.
        for begin in range(0, len(data), 700_000):
            file.write(data[begin:begin + 700_000])
    for blob in (big, chunked):
        again = bucket.blob(blob.name)
        assert again.download_as_bytes() == data
        assert again.download_as_bytes(start=10, end=19) == data[10:20]
    assert bucket.get_blob("a/small.txt").metadata == {"who": "me"}


def check_changes(client, bucket):
    small = bucket.get_blob("a/small.txt")
    raises(exceptions.PreconditionFailed,
           lambda: bucket.blob("a/small.txt").upload_from_string("x", if_generation_match=0))
    small.metadata = {"who": "you"}
    small.patch()
    copied = bucket.copy_blob(small, bucket, "b/copy.txt")
    assert copied.metadata == {"who": "you"}
    renamed = bucket.rename_blob(copied, "b/renamed.txt")
    both = bucket.blob("b/both")
    both.compose([small, renamed])
    assert both.download_as_text() == "hellohello"
    assert both.rewrite(small)[0] is None
    names = [blob.name for blob in client.list_blobs("models", page_size=2)]
    assert names == ["a/big.bin", "a/chunked.bin", "a/small.txt", "b/both",
                     "b/renamed.txt"], names
    listing = client.list_blobs("models", delimiter="/")
    assert [blob.name for blob in listing] == [] and listing.prefixes == {"a/", "b/"}


def check_deletes(client, bucket):
    with client.batch():
        for name in ("b/both", "b/renamed.txt"):
            bucket.blob(name).delete()
    assert not bucket.blob("b/both").exists()
    raises(exceptions.NotFound, lambda: bucket.blob("gone").download_as_bytes())
    raises(exceptions.NotFound, lambda: client.get_bucket("nobodys-bucket"))
    raises(exceptions.Conflict, bucket.delete)


def main():
    client = storage.Client(project="p", credentials=AnonymousCredentials())
    if sys.argv[1] == "make":
        client.create_bucket("models")
    elif sys.argv[1] == "find":
        blob = client.bucket("models").get_blob("run/by-program")
        assert blob.download_as_bytes() == b"written by a program"
        assert blob.md5_hash
    else:
        bucket = client.create_bucket("models")
        check_uploads(bucket)
        check_changes(client, bucket)
        check_deletes(client, bucket)


if __name__ == "__main__":
    main()
