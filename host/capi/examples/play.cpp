// A game against oneself in C++: handles that close themselves, errors as exceptions, a search that another thread stops.
#include "barrow.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

// Memory of a handle.
struct Free {
    void operator()(void *memory) const { std::free(memory); }
};

// A handle with its memory; closed when it goes out of scope.
template <typename Handle> class Owner {
public:
    template <typename Open> Owner(std::size_t size, Open open) {
        const std::size_t alignment = barrow_alignment();
        memory_.reset(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
        if (!memory_) {
            throw std::bad_alloc();
        }
        check(open(memory_.get(), size, &handle_));
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    ~Owner() { barrow_close(handle_); }

    Handle *get() const { return handle_; }

    // Throws the text of an error.
    BarrowStatus check(BarrowStatus status) const {
        if (status >= BARROW_OK) {
            return status;
        }
        std::string text = barrow_status_text(status);
        if (handle_ != nullptr) {
            text = read([&](char *buffer, std::size_t capacity, std::size_t *length) {
                return barrow_error_text(handle_, buffer, capacity, length);
            });
        }
        throw std::runtime_error(text);
    }

    // A text of any length: its length is asked for first.
    template <typename Write> std::string read(Write write) const {
        std::size_t length = 0;
        check(write(nullptr, 0, &length));
        std::string text(length + 1, '\0');
        check(write(&text[0], text.size(), &length));
        text.resize(length);
        return text;
    }

private:
    std::unique_ptr<void, Free> memory_;
    Handle *handle_ = nullptr;
};

} // namespace

int main() try {
    if (barrow_abi_version() != BARROW_ABI_VERSION) {
        throw std::runtime_error("the library has another interface");
    }
    const Owner<BarrowGame> game(barrow_game_size(0), [](void *memory, std::size_t size, BarrowGame **handle) {
        return barrow_game_open(memory, size, 0, handle);
    });
    const Owner<BarrowSearch> search(barrow_search_size(400, 0), [](void *memory, std::size_t size, BarrowSearch **handle) {
        return barrow_search_open(memory, size, 400, 0, handle);
    });
    search.check(barrow_search_set_seed(search.get(), 1));
    for (int turn = 0; turn < 3; turn++) {
        // What is known of the positions that can follow stays for the next turn.
        search.check(barrow_search_begin(search.get(), game.get(), turn > 0));
        std::thread clock([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            barrow_search_stop(search.get());
        });
        BarrowStatus status = BARROW_OK;
        while (status == BARROW_OK) {
            status = barrow_search_run(search.get(), 4);
        }
        clock.join();
        search.check(status);
        BarrowTurn best;
        std::string lines;
        // A search that was stopped before its first node has no turn; the hand-written player has always one.
        if (barrow_search_turn_statistics(search.get(), 0, &best, sizeof best) == BARROW_OK) {
            lines = search.read([&](char *buffer, std::size_t capacity, std::size_t *length) {
                return barrow_search_turn(search.get(), 0, buffer, capacity, length);
            });
        } else {
            lines = game.read([&](char *buffer, std::size_t capacity, std::size_t *length) {
                return barrow_game_greedy(game.get(), 1, buffer, capacity, length);
            });
        }
        game.check(barrow_game_play(game.get(), lines.data(), lines.size()));
        std::printf("%s\nendturn\n", lines.c_str());
    }
    try {
        const std::string wrong = "turn\naction board 9 resign";
        game.check(barrow_game_play(game.get(), wrong.data(), wrong.size()));
        return EXIT_FAILURE;
    } catch (const std::runtime_error &error) {
        std::printf("refused: %s\n", error.what());
    }
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
}
