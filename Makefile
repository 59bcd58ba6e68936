# SPDX-License-Identifier: MIT
# Debian or Ubuntu with Swift, git and apt is all that must be there: the rules install what else they need.

# What building needs, what the demo needs beside that, and what the tests need beside both.
building = libglib2.0-dev libinotifytools0-dev libncurses-dev libsqlite3-dev libssl-dev libtomlplusplus-dev \
           nlohmann-json3-dev g++ pkg-config
playing  = syncthing tmux
packages = $(building) $(playing) openssl iproute2 ncurses-term shared-mime-info unison rclone rsync git vim neovim emacs-nox nano \
           bindfs exfat-fuse exfatprogs python3 python3-jsonschema valgrind systemd dbus dbus-daemon python3-dbus python3-gi python3-dbusmock \
           zsh fish groff-base mandoc $(windows) gedit libreoffice-writer libreoffice-gtk3 python3-uno \
           nodejs node-typescript python3-venv python3-build python3-setuptools python3-wheel mypy
# A display that nobody sees, keys for it, and what a screen reader is told; and what the other editors take.
windows  = xvfb openbox xdotool at-spi2-core gir1.2-atspi-2.0 libglib2.0-bin
# The same on Wayland.
wayland  = sway wtype
# What the sample editor in a window is built on.
gtk      = libgtk-4-dev libgtksourceview-5-dev
editors  = pluma kate cmake extra-cmake-modules qtbase5-dev libkf5texteditor-dev libkf5widgetsaddons-dev libkf5xmlgui-dev
quick    = Fixtures/circle/lost-laptop.script Fixtures/engines/a-changed-document.script Fixtures/engines/laid-and-left-alone.script Fixtures/engines/continued-ahead-and-saved.script Fixtures/editors/saved-twice.script
plugins  = $(addprefix Fixtures/embedded/,neovim-to-emacs-and-back.script continuo-edit-to-neovim-and-back.script \
             line-ends-of-another-system.script fifty-megabytes.script one-record-for-each-save-continuo-edit.script \
             one-record-for-each-save-neovim.script one-record-for-each-save-emacs.script \
             vim-to-neovim-and-back.script given-up-vim-to-neovim.script vscode-to-neovim-and-back.script \
             neovims-own-client-to-emacs-and-back.script given-up-gedit-to-neovim.script gedit-waits-and-looks.script \
             writer-to-writer.script who-has-it-open-neovim.script who-has-it-open-emacs.script \
             never-saved-continuo-edit.script never-saved-neovim.script never-saved-emacs.script \
             ten-documents-at-once.script all-that-was-open-in-emacs.script \
             all-that-was-open-in-the-sample-editor.script continued-while-typing.script)
day      = Fixtures/day/a-day-with-two-devices.script
strict   = --explicit-target-dependency-import-check error
write    = --package-path Sources/Programs/continuo-write --scratch-path .build/window

PREFIX   ?= /usr/local
LIBDIR   ?= lib
library   = .build/library
programs  = .build/programs/release
# The Swift runtime, once for all programs, where they look for it; and their man pages and completions.
runtime   = $(programs)/../lib/continuo
manuals   = .build/share
installed = continuo continuo-watch continuo-lan continuo-desktop continuo-edit
# Those for whose next step somebody waits are compiled for speed, the others for size.
awaited   = continuo-watch continuo-edit
# `window=yes` installs the editor in a window, too, which needs GTK.
windowed  = $(if $(filter yes,$(window)),continuo-write)
version   = $(shell sed -n 's/^\#define CONTINUO_VERSION_M[A-Z]* //p' Sources/App/CContinuo/include/continuo.h | paste -sd.)
static    = --static-swift-stdlib $(strict)
# The linker sees all of a program, and leaves out what it does not use (docs/decisions/0078-small-programs.md).
whole     = --experimental-lto-mode full -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
  -Xswiftc -Xfrontend -Xswiftc -conditional-runtime-records -Xlinker --icf=safe $(relative) $(as-needed)
# They find the runtime from their own place, and no other.
placed    = --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/continuo' -Xlinker -s
# No library is loaded that is not called: modules ask for more. clang takes `--as-needed` back without `-shared-libgcc`.
as-needed = -Xlinker --as-needed -Xswiftc -Xclang-linker -Xswiftc -shared-libgcc
# Packed relocations: a loader of before glibc 2.36 refuses a program that has them.
relative  = $(shell printf 'glibc 2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION)" | sort -CV && echo -Xlinker -z -Xlinker pack-relative-relocs)

.DEFAULT_GOAL := help
.PHONY: help setup setup-build setup-demo setup-window build unit test window window-asan window-bench window-pictures library programs manuals install uninstall deb embedded asan fuzz bare-root fixtures-full record engines desktop hosts editors editors-ring checklist pictures kate vscode libreoffice wheel tsan demo kills editor-kills soak sequences storms swaps forgeries picture screens bench check clean histories mutants

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

setup: ## Install all Debian packages that are missing; `setup-build` and `setup-demo` those of less
setup: wanted = $(packages)
setup-build: wanted = $(building)
setup-demo: wanted = $(building) $(playing)
setup-window: wanted = $(building) $(gtk) $(windows) $(wayland) dbus-daemon desktop-file-utils bindfs git neovim tmux strace python3 python3-gi
setup setup-build setup-demo setup-window:
	@missing=; for package in $(wanted); do \
	    dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed \
	      || missing="$$missing $$package"; \
	  done; \
	  [ -z "$$missing" ] && exit 0; \
	  root=; [ "$$(id -u)" -eq 0 ] || root=sudo; \
	  [ -z "$$root" ] || command -v sudo >/dev/null \
	    || { echo "Install these packages as root first: $$missing" >&2; exit 1; }; \
	  echo "Debian packages that are needed and not installed:$$missing"; \
	  if [ -t 0 ] && [ -t 1 ] && [ -z "$${CI:-}" ]; then \
	    printf 'Install them now with apt-get? [Y/n] '; read -r answer || answer=n; \
	    case $$answer in \
	      [Yy]*|'') ;; \
	      *) echo "Nothing was installed. Install these packages yourself, or answer y."; exit 1 ;; \
	    esac; \
	  fi; \
	  $$root apt-get update -qq \
	    && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing

build: setup-build ## Build everything that runs
	swift build $(strict)

unit: export CONTINUO_UNIT = 1
unit: setup-build ## Build and run what needs no sync engine, editor or root, in a few minutes; `only=SyncNamesTests` for one suite
	swift build --build-tests --scratch-path .build/unit $(strict)
	swift test --skip-build --scratch-path .build/unit $(if $(only),--filter '$(only)')

test: setup ## Build, then run all tests, the scripts, one case per engine and editor, and the demo
	swift build --build-tests $(strict)
	@$(MAKE) --no-print-directory manuals
	Tests/run.sh --skip FolderWatchTests
	@# What the kernel tells, and when: with the machine to themselves.
	Tests/run.sh --filter FolderWatchTests
	Tests/Hosts/run.sh
	@$(MAKE) --no-print-directory library
	Tests/Embedded/run.sh
	Tests/Runtime/run.sh
	.build/debug/fixtures run --parity Fixtures/handoff $(quick) $(plugins) $(day)
	.build/debug/fixtures replay Fixtures/recordings
	.build/debug/fixtures replay --real --sample 40 Fixtures/recordings
	.build/debug/fixtures kills --sample
	@# Side by side: each keeps one core busy, and waits for no clock.
	.build/debug/fixtures crashpoints & crashes=$$!; \
	  .build/debug/fixtures sequences --count 200 && .build/debug/fixtures simulate --seeds Fixtures/seeds.txt \
	  && .build/debug/fixtures simulate --count $(or $(histories),2000); ended=$$?; \
	  wait $$crashes && exit $$ended
	.build/debug/fixtures sequences --real --count 5
	@one=$$(.build/debug/fixtures simulate --count 40 | tail -1); \
	  two=$$(SWIFT_DETERMINISTIC_HASHING=1 .build/debug/fixtures simulate --count 40 | tail -1); echo "$$one"; \
	  [ "$$one" = "$$two" ] || { echo "another process ended otherwise: $$two" >&2; exit 1; }
	.build/debug/fixtures keystrokes --count 2000 --every 200
	.build/debug/fixtures demo --no-keyboard

window: setup-window ## Build the sample editor in a window, and test it on a display that nobody sees; `only=HandoverTests` for one class
	for product in continuo continuo-watch continuo-lan continuo-edit fixtures; do swift build $(strict) --product $$product || exit 1; done
	swift build --build-tests $(strict) $(write)
	swift test --skip-build $(write)
	.build/debug/fixtures page docs/authors/gtk.md
	cd Sources/Programs/continuo-write/Tests/Screen && PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m unittest -v $(if $(only),-k '$(only)')

window-bench: packages = $(building) $(gtk) $(windows) dbus-daemon python3 python3-gi libxtst6 libxdamage1 gedit gnome-text-editor
window-bench: setup ## Measure the sample editor in a window beside gedit and gnome-text-editor, on a display that nobody sees
	for product in continuo continuo-watch continuo-lan; do swift build $(strict) --product $$product || exit 1; done
	swift build -c release $(strict) $(write) --product continuo-write
	cd Sources/Programs/continuo-write/Tests/Screen && PYTHONDONTWRITEBYTECODE=1 \
	  CONTINUO_WRITE=$(CURDIR)/.build/window/release/continuo-write /usr/bin/python3 bench.py

window-asan: setup-window ## Test the sample editor in a window under Address Sanitizer; after `make window`, `only=CompareTests` for one class
	swift build --sanitize=address $(strict) --package-path Sources/Programs/continuo-write --scratch-path .build/window-asan --product continuo-write
	cd Sources/Programs/continuo-write/Tests/Screen && PYTHONDONTWRITEBYTECODE=1 \
	  CONTINUO_WRITE=$(CURDIR)/.build/window-asan/debug/continuo-write /usr/bin/python3 -m unittest -v -k $(or $(only),WindowTests -k CompareTests)

window-pictures: packages += imagemagick
window-pictures: setup window ## Take pictures of the window that offers, waits, has restored, and shows both texts, into `to`, docs
	mkdir -p $(or $(to),docs)
	cd Sources/Programs/continuo-write/Tests/Screen && CONTINUO_PICTURES=$(abspath $(or $(to),docs)) PYTHONDONTWRITEBYTECODE=1 \
	  /usr/bin/python3 -m unittest -v -k to_a_terminal -k a_wait_tells -k parts_are_taken

library: setup-build ## Build the C library, with Swift's runtime inside
	swift build -c release $(static) --scratch-path $(library) --product continuo-c -Xswiftc -static-stdlib \
	  -Xlinker -soname=libcontinuo.so.0 -Xlinker --version-script=$(CURDIR)/Sources/App/CContinuo/continuo.map \
	  -Xlinker -z -Xlinker nodelete -Xswiftc -Osize -Xlinker --icf=safe
	strip --strip-unneeded -o $(library)/libcontinuo.so.0 $(library)/release/libcontinuo-c.so
	@echo "libcontinuo.so.0 has $$(stat -c %s $(library)/libcontinuo.so.0) bytes"

programs: setup-build ## Build what is installed: the programs, the Swift runtime that they share, manual pages and completions
	for program in $(filter-out $(awaited),$(installed)); do \
	  swift build -c release $(strict) $(whole) -Xswiftc -Osize --scratch-path .build/programs $(placed) --product $$program || exit 1; \
	done
	for program in $(awaited); do \
	  swift build -c release $(strict) $(whole) --scratch-path .build/awaited $(placed) --product $$program \
	    && install -m 755 .build/awaited/release/$$program $(programs)/ || exit 1; \
	done
	for program in $(windowed); do \
	  swift build -c release $(strict) --package-path Sources/Programs/continuo-write --scratch-path .build/window $(placed) \
	    --product $$program && install -m 755 .build/window/release/$$program $(programs)/ || exit 1; \
	done
	relative='$(relative)' Sources/Packaging/gather-runtime.sh $(runtime) $(addprefix $(programs)/,$(installed) $(windowed))
	@$(MAKE) --no-print-directory manuals from=$(programs)

manuals: setup-build ## Write manual pages and completions to .build/share, as the programs in `from`, .build/debug, tell them
	@checkout=$$(ls -d .build/checkouts .build/programs/checkouts .build/library/checkouts 2>/dev/null | head -n 1); \
	  swift build --package-path "$${checkout:-.build/checkouts}/swift-argument-parser" \
	    --scratch-path .build/manual-tool --product generate-manual
	Sources/Packaging/manuals.sh '$(or $(from),.build/debug)' .build/manual-tool/debug/generate-manual \
	  $(version) $(manuals)

install: $(if $(built),,$(if $(windowed),setup-window) library programs) ## Install all below PREFIX, `/usr/local`; DESTDIR stands before it, `built=1` builds nothing, `window=yes` adds the editor in a window
	@Sources/Packaging/install.sh install '$(DESTDIR)' '$(PREFIX)' '$(LIBDIR)' $(version) \
	  $(library):$(programs):$(runtime):$(manuals) $(installed) $(windowed)

uninstall: ## Remove what `make install` put there
	@Sources/Packaging/install.sh uninstall '$(DESTDIR)' '$(PREFIX)' '$(LIBDIR)' $(version) - $(installed)

deb: packages += debhelper dpkg-dev fakeroot lintian
deb: setup $(if $(built),,library programs) ## Make Debian packages in .build/deb, and let lintian look at them; `built=1` builds nothing
	Sources/Packaging/build-deb.sh $(version)

embedded: setup build library ## Hand over between editors in C, C++ and Python with the installed library, under valgrind
	Tests/Embedded/run.sh

asan: setup build ## Call the C library at random under Address Sanitizer; `make asan calls=1000000 seeds="1 2 3"` for more
	swift build --sanitize=address --scratch-path .build/asan $(strict) --product continuo-c
	Tests/Embedded/random.sh .build/asan/debug/libcontinuo-c.so .build/debug $(or $(calls),100000) $(or $(seeds),1)

# Of two sanitizers the compiler takes the last alone, unless it is told of both at once; the canary notices.
fuzz: export CONTINUO_FUZZ = 1
# What is written in C here is tried for memory, and led by nothing: the ciphers would fill the corpus, and take most of the time.
fuzz: setup-build ## Fuzz what takes bytes from outside, each for `seconds`, 60, or `runs=full`; `target=cbor` alone, `keep=1` keeps inputs
	swift build -c release --sanitize=fuzzer --sanitize=address --scratch-path .build/fuzz -Xswiftc -parse-as-library -Xswiftc -sanitize=fuzzer,address \
	  -Xcc -fno-sanitize=fuzzer $(strict) --product continuo-fuzz
	keep=$(keep) runs=$(runs) Tests/fuzz.sh .build/fuzz/release/continuo-fuzz $(or $(seconds),60) $(target)

# `setup` runs once for all goals: with what the first one lists.
bare-root: packages += debootstrap debhelper dpkg-dev fakeroot lintian
bare-root: setup deb ## Install, upgrade, play and remove the packages in a small Debian of its own, without Swift; as root, with a network
	swift build $(strict) --product fixtures
	former='$(former)' Tests/Embedded/bare-root.sh

desktop: packages += dunst xvfb sway mako-notifier foot
desktop: setup build ## Tell a person of an offer on a desktop's bus, and start the app that is pressed for
	.build/debug/fixtures run Fixtures/desktop

engines: setup build ## Play all hand-offs over real sync engines, and with real editors saving into the folder
	.build/debug/fixtures run Fixtures/engines Fixtures/editors Fixtures/embedded

editors: packages += $(editors)
editors: setup build kate ## Hand over between every two editors, with both versions and the time of each
	.build/debug/fixtures editors

editors-ring: packages += $(editors)
editors-ring: setup build kate ## Hand over once through every editor; what fails at first, as windows may, is tried again
	.build/debug/fixtures editors --ring --tries 3

checklist: packages += $(editors)
checklist: setup build kate ## Play what an editor must do with each editor; `listed="vim kate"` for these
	.build/debug/fixtures run $(addprefix --editor ,$(listed)) Fixtures/checklist

pictures: packages += $(editors) imagemagick
pictures: setup build kate ## Take pictures of editors with windows that offer, wait and have restored, into `to`
	mkdir -p $(or $(to),.build/pictures)
	for editor in $(or $(listed),gedit kate writer); do \
	  mkdir -p $(or $(to),.build/pictures)/$$editor; \
	  CONTINUO_PICTURES=$(or $(to),.build/pictures)/$$editor .build/debug/fixtures run --editor $$editor \
	    Fixtures/checklist/06-waiting-tells-why-and-can-be-ended.script \
	    Fixtures/checklist/07-cursor-and-scroll-are-restored.script || exit 1; \
	done

kate: packages += $(editors)
kate: setup $(if $(wildcard $(library)/libcontinuo.so.0),,library) ## Build the plugin for Kate, in .build/kate
	cmake -S Sources/Editors/continuo.kate -B .build/kate -DCMAKE_BUILD_TYPE=Release -DCONTINUO_TESTS=ON \
	  -DCONTINUO_INCLUDE=$(CURDIR)/Sources/App/CContinuo/include -DCONTINUO_LIBRARY=$(CURDIR)/$(library)/libcontinuo.so.0
	cmake --build .build/kate && .build/kate/parts-test

vscode: ## Pack the extension for VS Code as .build/continuo.vsix
	Sources/Editors/continuo.vscode/pack.py .build/continuo.vsix

libreoffice: ## Pack the extension for Writer as .build/continuo.oxt
	Sources/Editors/continuo.libreoffice/pack.py $(version) .build/continuo.oxt

wheel: packages += python3-build python3-setuptools python3-wheel
wheel: setup ## Build the package for Python as a wheel in .build/wheel
	rm -rf .build/wheel && mkdir -p .build/wheel && cp -r Sources/Editors/continuo.python .build/wheel/source
	cd .build/wheel/source && /usr/bin/python3 -m build --wheel --no-isolation --outdir ..

hosts: setup build ## Build apps of another package, with the loops of poll(2), GLib and Swift, and run them
	Tests/Hosts/run.sh

tsan: setup build ## Run the tests of activities, documents, the agent and the C library under Thread Sanitizer; builds all again
	swift build --build-tests --sanitize=thread --scratch-path .build/tsan $(strict)
	TSAN_OPTIONS="halt_on_error=1 suppressions=$(CURDIR)/Tests/thread-sanitizer.supp" \
	  swift test --skip-build --sanitize=thread --scratch-path .build/tsan \
	    --filter 'ActivityExchangeTests|DocumentsTests|AgentTests'
	sanitizer=thread Tests/Embedded/random.sh .build/tsan/debug/libcontinuo-c.so .build/debug 100000 1

demo: setup-demo build ## Leave a document on a desktop and go on with it on a laptop, both on this terminal
	.build/debug/fixtures demo

fixtures-full: setup build ## Replay all recordings of engines and editors, through the machines and on real files
	.build/debug/fixtures replay Fixtures/recordings
	.build/debug/fixtures replay --real Fixtures/recordings

record: packages += rsync unison rclone
record: setup build ## Record what real engines do to a folder; `to=FOLDER` and `engines="rsync cp"` say where and which
	.build/debug/fixtures record --to $(or $(to),recordings) \
	  $(or $(engines),cp cp-a rsync rsync-inplace rsync-delay-updates unison rclone-bisync git-pull)

editor-kills: packages += $(editors)
editor-kills: setup build kate ## Kill editors, their servers and agents at each step of a hand-off; `listed="vim gedit"` for these
	.build/debug/fixtures kills $(addprefix --editor ,$(or $(listed),nvim nvim-lsp emacs vim vscode gedit pluma kate writer))

kills: setup build ## Kill each program of each device at each step of a hand-off, and the agent while somebody types
	.build/debug/fixtures kills
	.build/debug/fixtures keystrokes

sequences: setup build ## Do random things to documents of two devices: 10,000 times in virtual time, 200 times for real
	swift build -c release $(strict) --product fixtures
	.build/release/fixtures sequences --count 10000
	.build/debug/fixtures sequences --real --count 200

soak: setup build ## Keep three devices busy for ten minutes, kill their programs, and look whether all numbers come back; `minutes=60`
	.build/debug/fixtures soak --minutes $(or $(minutes),10) $(if $(seed),--seed $(seed))

storms: setup ## Let the kernel's event queue overflow a hundred times; `make storms storms=1000` for more
	swift build --build-tests $(strict)
	CONTINUO_STORMS=$${storms:-$(or $(storms),100)} swift test --skip-build --filter OverflowStormTests

# Across rooms as within one, for this processor, with the runtime and a quicker allocator inside, and without looking
# for two accesses at once: debug builds do, in `make test`. Linked for Tests/lay-out.sh.
fast = --scratch-path .build/histories --static-swift-stdlib -Xswiftc -cross-module-optimization -Xswiftc -enforce-exclusivity=unchecked \
       -Xcc -march=native -Xlinker -l:libjemalloc.a -Xlinker -lm -Xswiftc -use-ld=lld -Xlinker --emit-relocs
histories: packages += bolt-19 libjemalloc-dev
histories: setup ## Run a million simulated histories in release mode; `make histories count=20000` for fewer
	swift build -c release $(strict) $(fast) --product fixtures
	Tests/lay-out.sh .build/histories/release/fixtures .build/histories/fixtures simulate --count 200
	.build/histories/fixtures simulate --count $(or $(count),1000000)
	swift build $(strict) --product fixtures
	@one=$$(.build/debug/fixtures simulate --count 40 | tail -1); \
	  two=$$(.build/histories/fixtures simulate --count 40 | tail -1); echo "$$one"; \
	  [ "$$one" = "$$two" ] || { echo "a release build ended otherwise: $$two" >&2; exit 1; }
	@echo "Without a violation in N histories the rate is below 3/N with 95 % confidence (the rule of three)."

mutants: setup ## Break the machines in known ways, one at a time: each must be found by a simulated history
	Tests/Mutants/run.sh $(or $(count),10000)

forgeries: setup-build ## Change valid records a million times each as a stranger and as a member who lies; `count=` for fewer
	swift build -c release $(strict) --product fixtures
	.build/release/fixtures forgeries --count $(or $(count),1000000)

swaps: setup ## Swap files and folders for links 100,000 times while they are opened; `make swaps swaps=1000000` for more
	swift build --build-tests $(strict)
	CONTINUO_SWAPS=$(or $(swaps),100000) swift test --skip-build --filter SwapRaceTests

picture: setup build ## Record a hand-off and draw it as docs/picture.svg
	.build/debug/fixtures picture docs/picture.svg

screens: setup ## Play the editor's screens and print them; `make screens to=FOLDER` also keeps them there
	swift build --build-tests $(strict)
	@folder=$(to); folder=$${folder:-$$(mktemp -d)}; mkdir -p "$$folder" && folder=$$(realpath "$$folder") \
	  && CONTINUO_SCREENS="$$folder" swift test --skip-build --filter ScreenTests \
	  && for screen in "$$folder"/*.txt; do echo "== $$(basename "$$screen" .txt)"; cat "$$screen"; done; \
	  status=$$?; [ -n "$(to)" ] || rm -rf "$$folder"; exit $$status

bench: packages += inotify-tools watchman python3-watchdog iproute2 openssh-client openssh-server recollcmd
bench: setup ## Measure beside peers; `long=1` for the slow rows, too; `BENCH_JSON=FILE make bench` also writes JSON
	for product in continuo-bench continuo-edit continuo-watch continuo continuo-lan fixtures watch-floor watch-library; do \
	  swift build -c release $(strict) --product $$product || exit 1; \
	done
	.build/release/continuo-bench $(if $(long),--long) $(if $(BENCH_JSON),--json '$(BENCH_JSON)')
	.build/release/fixtures link-times

check: setup ## Format, lint and layers, without the tests
	swift format lint --strict --recursive Sources Tests Package.swift
	swift build --build-tests $(strict)
	swift test --skip-build --filter ArchitectureTests

clean: ## Remove what was built
	swift package clean
