# The front door. `make run` shows the main job; `make test` runs every test.
PRESET ?= release
BUILD := build

.PHONY: all setup build run test install bench fuzz lint clean
all: build
setup:
	tools/setup build run test
build:
	cmake --preset release
	cmake --build --preset release
test: build
	ctest --preset release
clean:
	rm -rf build build-*
