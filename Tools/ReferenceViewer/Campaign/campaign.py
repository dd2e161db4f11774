#!/usr/bin/env python3
"""Fetches web viewers from Debian's packages and from PyPI, and verifies and benchmarks each with zoombench.

usage: campaign.py fetch [FOLDER]
       campaign.py run [FOLDER] [--zoombench PATH] [--results FOLDER] [--budget TIME] [--ratios LIST]
                       [--only NAME,…]

FOLDER is .zoombench/viewers of the repository unless it is named. It gets the pages of Examples/viewers, and their
libraries in lib. Packages come by apt-get and pip as they are set up on this machine; nothing is installed.

A viewer that breaks a law does not fail this script. It exits with 69 if a package cannot be fetched, and with 70 if
zoombench ends with an error of its own.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
D3 = ("color", "dispatch", "drag", "ease", "interpolate", "selection", "timer", "transition", "zoom")

# What to fetch: the tool, the package, and for each file its path in the package and its name in lib.
PACKAGES = [
    ("pip-source", "openslide-python==1.4.7", {"examples/deepzoom/static/openseadragon.js": "openseadragon.js"}),
    ("pip", "django-js-lib-leaflet==1.9.4.1", {
        "js_lib_leaflet/static/js_lib_leaflet/leaflet.js": "leaflet.js",
        "js_lib_leaflet/static/js_lib_leaflet/leaflet.css": "leaflet.css"}),
    ("apt", "libjs-leaflet", {
        "usr/share/javascript/leaflet/leaflet.js": "leaflet-debian.js",
        "usr/share/javascript/leaflet/leaflet.css": "leaflet-debian.css"}),
    ("pip", "pyopenlayersqt==0.21.0", {
        "pyopenlayersqt/vendor/ol/ol.js": "ol.js", "pyopenlayersqt/vendor/ol/ol.css": "ol.css"}),
    ("pip", "sigal==2.6.1", {
        "sigal/themes/photoswipe/static/photoswipe.esm.js": "photoswipe.esm.js",
        "sigal/themes/photoswipe/static/photoswipe.css": "photoswipe.css"}),
    ("pip", "mkdocs-panzoom-plugin==0.5.3", {"mkdocs_panzoom_plugin/panzoom/panzoom.min.js": "panzoom.min.js"}),
] + [("apt", f"node-d3-{part}", {f"usr/share/nodejs/d3-{part}/dist/d3-{part}.js": f"d3-{part}.js"}) for part in D3]

# The viewers to try: the page with its query, and the schemes of tiles that it reads.
VIEWERS = {
    "openseadragon-canvas": ("openseadragon.html?drawer=canvas", "dzi,iiif2,zoomify,plain"),
    "openseadragon-webgl": ("openseadragon.html?drawer=webgl", "dzi,iiif2,zoomify,plain"),
    "openseadragon-html": ("openseadragon.html?drawer=html", "dzi,iiif2"),
    "leaflet": ("leaflet.html", "xyz,dzi,plain"),
    "leaflet-debian": ("leaflet-debian.html", "xyz,dzi,plain"),
    "openlayers-canvas": ("openlayers.html?drawer=canvas", "zoomify,iiif2,xyz,plain"),
    "openlayers-webgl": ("openlayers.html?drawer=webgl", "zoomify,iiif2,xyz"),
    "photoswipe": ("photoswipe.html", "plain"),
    "d3-zoom": ("d3.html", "plain"),
    "panzoom": ("panzoom.html", "plain"),
    "plain": ("plain.html", "plain"),
}


def download(tool, package, folder):
    """Returns the one file that the package tool writes into an empty folder."""
    command = {
        "apt": ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", package],
        "pip": ["pip", "download", "--quiet", "--no-deps", "--dest", ".", package],
        "pip-source": ["pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", ".", package],
    }[tool]
    try:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(unavailable(f"{package} cannot be fetched ({' '.join(command)}): {error}"))
    return next(pathlib.Path(folder).iterdir())


def unpack(package, folder):
    """Unpacks a package, and returns the folder that its paths begin in."""
    if package.suffix == ".deb":
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    elif package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            archive.extractall(folder)
    else:
        with tarfile.open(package) as archive:
            archive.extractall(folder, filter="data")
        # A source package has all files in one folder.
        return next(pathlib.Path(folder).iterdir())
    return pathlib.Path(folder)


def fetch(folder):
    library = folder / "lib"
    library.mkdir(parents=True, exist_ok=True)
    for page in (ROOT / "Examples/viewers").glob("*.html"):
        shutil.copy(page, folder)
    # The older Leaflet of Debian is shown by the same page.
    page = (folder / "leaflet.html").read_text().replace("lib/leaflet.", "lib/leaflet-debian.")
    (folder / "leaflet-debian.html").write_text(page)
    sources = {}
    for tool, name, files in PACKAGES:
        with tempfile.TemporaryDirectory() as packed, tempfile.TemporaryDirectory() as unpacked:
            package = download(tool, name, packed)
            start = unpack(package, unpacked)
            for path, target in files.items():
                shutil.copy(start / path, library / target)
                digest = hashlib.sha256((library / target).read_bytes()).hexdigest()
                sources[target] = {"package": package.name, "sha256": digest}
            print(f"{package.name}: {', '.join(files.values())}")
    (folder / "sources.json").write_text(json.dumps(sources, indent=2) + "\n")


def run(folder, zoombench, results, given):
    """Verifies each viewer, then benchmarks those that read plain pictures together; writes the results as JSON."""
    if not (folder / "sources.json").exists():
        return unavailable(f"{folder} has no viewers (campaign.py fetch)")
    results.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "sources.json", results)
    chosen = {name: viewer for name, viewer in VIEWERS.items() if given.only is None or name in given.only.split(",")}
    failures = []

    def call(name, words):
        print(f"==> {name}", file=sys.stderr)
        status = subprocess.run([zoombench, *words]).returncode
        # 1 says that a law is broken; greater ones are errors.
        if status > 1:
            failures.append(f"{name}: exit status {status}")

    limits = ["--budget", given.budget, "--ratios", given.ratios]
    for name, (page, tiles) in chosen.items():
        output = ["--format", "json", "--output", results / f"{name}.json", "--drawings", results / name]
        call(name, ["verify", "--viewer", f"{name}={folder / page}", "--tiles", tiles, *limits, *output])
    # All are compared on the same pictures.
    plain = {name: page for name, (page, tiles) in chosen.items() if "plain" in tiles.split(",")}
    viewers = [word for name, page in plain.items() for word in ("--viewer", f"{name}={folder / page}")]
    call("bench", ["bench", *viewers, "--tiles", "plain", "--format", "json", "--output", results / "bench.json"])
    for failure in failures:
        print(failure, file=sys.stderr)
    return 70 if failures else 0


def unavailable(why):
    print(f"campaign.py: {why}", file=sys.stderr)
    return 69


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0], add_help=False)
    parser.add_argument("task", choices=["fetch", "run"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / ".zoombench/viewers")
    parser.add_argument("--zoombench", default=ROOT / ".build/release/zoombench")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / ".zoombench/viewer-results")
    parser.add_argument("--budget", default="10m")
    parser.add_argument("--ratios", default="1,1.25,1.5,2,3")
    parser.add_argument("--only")
    given = parser.parse_args()
    unknown = set((given.only or "").split(",")) - set(VIEWERS) - {""}
    if unknown:
        parser.error(f"no viewer is named {', '.join(sorted(unknown))} (use {', '.join(VIEWERS)})")
    if given.task == "fetch":
        return fetch(given.folder)
    return run(given.folder, os.fspath(given.zoombench), given.results, given)


if __name__ == "__main__":
    sys.exit(main())
