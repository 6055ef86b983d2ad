"""Everything is in pyproject.toml, but for one thing: the wheel carries small files of assets/ in the package."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
# What notebooks load. Lecture kits stay in the checkout.
CARRIED = ("figures", "results", "weights")


class BuildWithAssets(build_py):
    """Copy assets/ to tformer_course/_assets, where `tformer_course.assets.asset` looks in an installed wheel."""

    def run(self):
        super().run()
        if self.editable_mode:
            return  # the checkout's own assets/ is found
        for name in CARRIED:
            if (HERE / "assets" / name).is_dir():
                target = Path(self.build_lib) / "tformer_course" / "_assets" / name
                shutil.copytree(HERE / "assets" / name, target, dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithAssets})
