# The front door; CMake (presets in CMakePresets.json) does the work.
#   make run     build, and heal a program that does not scale  make test   set up, build, all tests
#   make bench   B=NAME, or no B for their list                  make lint   every static gate
#   make fuzz    20 s for each target (SECONDS_EACH=N)           make install   PREFIX=/usr/local DESTDIR=
PREFIX ?= /usr/local
SECONDS_EACH ?= 20
JOBS := $(shell nproc)

.PHONY: all setup build run test install bench fuzz lint clean
all: build

setup:
	@tools/setup build run test

# Without the tests, so that it needs no more than the groups build and run.
build:
	@cmake --preset release -DLEAT_TESTS=OFF --log-level=WARNING >/dev/null
	cmake --build --preset release

run:
	@tools/setup build run
	@$(MAKE) --no-print-directory build
	@tools/demo

test: setup
	@cmake --preset release -DLEAT_TESTS=ON --log-level=WARNING >/dev/null
	cmake --build --preset release
	ctest --preset release -j $(JOBS)

install: build
	cmake --install build --prefix '$(PREFIX)'

bench:
	@tools/bench $(B)

fuzz: setup
	@tools/fuzz $(SECONDS_EACH)

lint: setup
	@tools/lint

clean:
	rm -rf build build-*
