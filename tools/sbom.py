"""What `cargo metadata` says of the crates in the program `binade`, as CycloneDX 1.5: cargo metadata .. | sbom.py VERSION."""

import json
import sys

metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
root = next(identity for identity, package in packages.items() if package["name"] == "binade-cli")


def needed(node):
    """The crates that are compiled for it: no dependencies of tests."""
    return [dep["pkg"] for dep in nodes[node]["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]


seen, left = set(), [root]
while left:
    node = left.pop()
    if node not in seen:
        seen.add(node)
        left += needed(node)


def reference(node):
    return f"pkg:cargo/{packages[node]['name']}@{packages[node]['version']}"


def component(node):
    package = packages[node]
    licenses = [{"expression": package["license"].replace("/", " OR ")}] if package["license"] else []
    return {
        "type": "library",
        "bom-ref": reference(node),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(node),
        "licenses": licenses,
    }


crates = sorted(seen - {root}, key=reference)
json.dump(
    {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "binade", "version": sys.argv[1], "bom-ref": reference(root)}},
        "components": [component(node) for node in crates],
        "dependencies": [{"ref": reference(node), "dependsOn": sorted(map(reference, needed(node)))} for node in [root, *crates]],
    },
    sys.stdout,
    indent=2,
)
