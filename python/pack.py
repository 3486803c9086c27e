# SPDX-License-Identifier: BSD-3-Clause
"""Packs the module for pip (PEP 517), with the folder of the library: of the build beside the source, else of the program in PATH."""
import base64
import hashlib
import os
import re
import shutil
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "libcellcoll.so.1"


def _folder():
    program = shutil.which("cellcoll")
    folders = [os.path.join(HERE, "../build/.libs"), os.path.join(HERE, "../.libs")]
    folders += [os.path.join(os.path.dirname(os.path.realpath(program)), "../lib")] if program else []
    return next((os.path.realpath(folder) for folder in folders if os.path.exists(os.path.join(folder, LIBRARY))), "")


def _version():
    with open(os.path.join(HERE, "../configure.ac"), encoding="utf-8") as file:
        return re.search(r"AC_INIT\(\[cellcoll\], \[(.*)\]\)", file.read())[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    about = f"cellcoll-{_version()}"
    info = about + ".dist-info"
    files = {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: cellcoll\nVersion: {_version()}\nLicense: BSD-3-Clause\n",
             f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: cellcoll\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    if _folder():
        files["cellcoll/_folder"] = _folder()
    for folder, _, names in os.walk(os.path.join(HERE, "cellcoll")):
        for name in names:
            if name.endswith((".py", ".typed")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    files[os.path.relpath(path, HERE)] = file.read()
    with zipfile.ZipFile(os.path.join(wheel_directory, about + "-py3-none-any.whl"), "w") as wheel:
        record = ""
        for path, text in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
            record += f"{path},sha256={digest},{len(text.encode())}\n"
            wheel.writestr(path, text)
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return about + "-py3-none-any.whl"
